-- Every message of a warning, with its own polygon, tags and times: what is in force where follows from them. Fetched by their warning alone.
CREATE TABLE "warning_messages" (
    "warning_id" INTEGER NOT NULL,
    "message_key" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "headline" TEXT,
    "message_type" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "certainty" TEXT NOT NULL,
    "urgency" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "correction" TEXT,
    "begins_at" TIMESTAMPTZ(3),
    "onset_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "office_name" TEXT NOT NULL,
    "vtec" TEXT NOT NULL,
    "threats" JSONB NOT NULL,
    "area" TEXT,
    "instruction" TEXT,
    "geometry" JSONB,
    "polygon_fault" TEXT,
    "county_fips" TEXT[],
    "zones" TEXT[],
    "citation_url" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "made" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "warning_messages_pkey" PRIMARY KEY ("warning_id","message_key")
);

ALTER TABLE "warning_messages" ADD CONSTRAINT "warning_messages_warning_id_fkey" FOREIGN KEY ("warning_id") REFERENCES "warnings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is held of a warning without its messages becomes one message, marked as made: rows from before this table, and rows
-- that a process of the version before writes while it is replaced. It is looked at when the transaction ends, since who
-- keeps messages writes them after their warning.
CREATE FUNCTION make_warning_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO warning_messages (
    warning_id, message_key, action, identifier, event, headline, message_type, severity, certainty, urgency, sent_at, begins_at, onset_at,
    expires_at, ends_at, office_name, vtec, threats, area, instruction, geometry, county_fips, zones, citation_url, digest, made)
  SELECT w.id, 'made/' || w.source_key || '/' || to_char(w.sent_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS'), substr(w.vtec, 4, 3), w.identifier,
         w.event, w.headline, w.message_type, w.severity, w.certainty, w.urgency, w.sent_at, w.issued_at, w.onset_at, w.expires_at, w.ends_at,
         w.office_name, w.vtec, w.threats, w.area, w.instruction, w.geometry, w.county_fips, '{}', w.citation_url, '', true
    FROM warnings w
   WHERE w.id = NEW.id AND NOT EXISTS (SELECT FROM warning_messages m WHERE m.warning_id = w.id AND m.sent_at >= w.sent_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER make_warning_message AFTER INSERT OR UPDATE ON warnings
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION make_warning_message();

-- What is held now.
UPDATE warnings SET updated_at = updated_at;
