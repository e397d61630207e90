-- Jobs that wait for their time, destinations that the service switched off, and posts that keep no contact.
ALTER TABLE outbox ADD COLUMN due_at TIMESTAMPTZ(3);

ALTER TABLE integrations
  ADD COLUMN switched_off_at TIMESTAMPTZ(3),
  ADD COLUMN switched_off_for TEXT,
  ADD COLUMN acknowledged_at TIMESTAMPTZ(3);

-- What posts are built from: JSONB gives keys an order of its own, JSON keeps the API's.
ALTER TABLE events ADD COLUMN content JSON, ALTER COLUMN payload SET DEFAULT '{}';

-- A property event names the property; its body is made when it is sent, from the property as it stands then.
CREATE FUNCTION property_event_content(payload jsonb) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('property_id', payload #>> '{data,0,id}', 'changed', payload -> 'changed', 'reason', payload -> 'reason')
$$;
UPDATE events SET content = property_event_content(payload), payload = '{}' WHERE name LIKE 'property.%';

-- The bodies kept for the ledger hold no contacts and no notes. One that cannot be read is not kept.
CREATE FUNCTION without_contacts(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (SELECT jsonb_set(body::jsonb, '{data}', coalesce(jsonb_agg(one - 'contacts' - 'notes'), '[]'))::text
            FROM jsonb_array_elements(body::jsonb -> 'data') one);
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;
UPDATE deliveries SET body = without_contacts(body) WHERE event LIKE 'property.%' AND body LIKE '%"contacts":%';

-- Processes of the version before, which serve during the upgrade, write both as they did.
CREATE FUNCTION keep_no_contacts_in_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.content := property_event_content(NEW.payload);
  NEW.payload := '{}';
  RETURN NEW;
END $$;
CREATE TRIGGER keep_no_contacts BEFORE INSERT ON events FOR EACH ROW
  WHEN (NEW.name LIKE 'property.%' AND NEW.payload ? 'data') EXECUTE FUNCTION keep_no_contacts_in_events();

CREATE FUNCTION keep_no_contacts_in_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.body := without_contacts(NEW.body);
  RETURN NEW;
END $$;
CREATE TRIGGER keep_no_contacts BEFORE INSERT OR UPDATE OF body ON deliveries FOR EACH ROW
  WHEN (NEW.event LIKE 'property.%' AND NEW.body LIKE '%"contacts":%') EXECUTE FUNCTION keep_no_contacts_in_deliveries();
