-- What Prisma's schema cannot say: value checks, partial unique keys, triggers, the invariant view.

-- Values ---------------------------------------------------------------------------------------
ALTER TABLE teams
  ADD CONSTRAINT teams_plan CHECK (plan IN ('free', 'starter', 'professional', 'business', 'enterprise')),
  ADD CONSTRAINT teams_balance CHECK (balance >= 0),
  ADD CONSTRAINT teams_allowance_left CHECK (allowance_left BETWEEN 0 AND balance),
  ADD CONSTRAINT teams_renewal_day CHECK (renewal_day BETWEEN 1 AND 31),
  ADD CONSTRAINT teams_paper CHECK (paper IN ('letter', 'a4'));

ALTER TABLE credit_transactions
  ADD CONSTRAINT credit_transactions_kind CHECK (
    CASE kind
      WHEN 'spend' THEN amount = -1 AND report_id IS NOT NULL
      WHEN 'refund' THEN amount = 1 AND report_id IS NOT NULL
      WHEN 'allowance' THEN amount >= 0 AND report_id IS NULL
      WHEN 'lapse' THEN amount <= 0 AND report_id IS NULL
      WHEN 'top_up' THEN amount > 0 AND report_id IS NULL
      WHEN 'adjustment' THEN amount <> 0 AND report_id IS NULL AND note IS NOT NULL
      ELSE false
    END),
  ADD CONSTRAINT credit_transactions_balance_after CHECK (balance_after >= 0);

ALTER TABLE reports
  ADD CONSTRAINT reports_status CHECK (status IN ('pending', 'complete', 'failed')),
  ADD CONSTRAINT reports_window CHECK (window_end >= window_start),
  ADD CONSTRAINT reports_radius CHECK (radius_miles BETWEEN 1 AND 100),
  ADD CONSTRAINT reports_pdf_status CHECK (pdf_status IN ('ready', 'failed')),
  ADD CONSTRAINT reports_complete CHECK (status <> 'complete' OR (fingerprint ~ '^[0-9a-f]{64}$' AND headline IS NOT NULL AND generated_at IS NOT NULL AND latitude IS NOT NULL)),
  ADD CONSTRAINT reports_failed CHECK ((status = 'failed') = (failure_reason IS NOT NULL));

ALTER TABLE properties
  ADD CONSTRAINT properties_kind CHECK (kind IN ('residential', 'commercial', 'multifamily', 'industrial', 'land', 'other')),
  ADD CONSTRAINT properties_status CHECK (status IN ('watching', 'paused', 'archived')),
  ADD CONSTRAINT properties_reach CHECK (watch_radius_miles BETWEEN 0.5 AND 10),
  ADD CONSTRAINT properties_located CHECK (NOT located OR (latitude IS NOT NULL AND longitude IS NOT NULL)),
  ADD CONSTRAINT properties_tags CHECK (cardinality(tags) <= 10);

ALTER TABLE territories
  ADD CONSTRAINT territories_kind CHECK (kind IN ('polygon', 'radius', 'places')),
  ADD CONSTRAINT territories_status CHECK (status IN ('watching', 'paused', 'archived')),
  ADD CONSTRAINT territories_colour CHECK (colour IN ('petrol', 'slate', 'moss', 'rust', 'plum', 'sand'));

ALTER TABLE watch_cells ADD CONSTRAINT watch_cells_subject CHECK (subject IN ('property', 'territory'));

ALTER TABLE exposures
  ADD CONSTRAINT exposures_kind CHECK (kind IN ('record', 'warning') AND (kind = 'warning') = (warning_key IS NOT NULL)),
  ADD CONSTRAINT exposures_subject CHECK ((property_id IS NULL) <> (territory_id IS NULL)),
  ADD CONSTRAINT exposures_one_state CHECK (acknowledged_at IS NULL OR dismissed_at IS NULL);

ALTER TABLE archive_records
  ADD CONSTRAINT archive_records_precision CHECK (precision IN ('point', 'path', 'area', 'grid', 'county', 'zone')),
  ADD CONSTRAINT archive_records_evidence CHECK (evidence_kind IN ('ground', 'instrument', 'radar')),
  ADD CONSTRAINT archive_records_point CHECK ((precision IN ('county', 'zone')) = (latitude IS NULL) AND (latitude IS NULL) = (longitude IS NULL)),
  ADD CONSTRAINT archive_records_range CHECK (latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180);

ALTER TABLE monitoring_runs ADD CONSTRAINT monitoring_runs_status CHECK (status IN ('running', 'complete', 'failed'));

ALTER TABLE integrations
  ADD CONSTRAINT integrations_channel CHECK (channel IN ('webhook', 'chat_a', 'chat_b')),
  ADD CONSTRAINT integrations_secret CHECK ((channel = 'webhook') = (secret_encrypted IS NOT NULL));

ALTER TABLE deliveries
  ADD CONSTRAINT deliveries_kind CHECK (kind IN ('event', 'test') AND (kind = 'event') = (event_id IS NOT NULL)),
  ADD CONSTRAINT deliveries_status CHECK (status IN ('queued', 'retrying', 'sent', 'failed', 'skipped'));

-- One of each ----------------------------------------------------------------------------------
CREATE UNIQUE INDEX credit_transactions_one_spend ON credit_transactions (report_id) WHERE kind = 'spend';
CREATE UNIQUE INDEX credit_transactions_one_refund ON credit_transactions (report_id) WHERE kind = 'refund';
CREATE UNIQUE INDEX properties_unlocated_query ON properties (team_id, query_key) WHERE address_key IS NULL;
CREATE UNIQUE INDEX exposures_property_day ON exposures (property_id, date) WHERE kind = 'record' AND property_id IS NOT NULL;
CREATE UNIQUE INDEX exposures_territory_day ON exposures (territory_id, date) WHERE kind = 'record' AND territory_id IS NOT NULL;
CREATE UNIQUE INDEX exposures_property_warning ON exposures (property_id, warning_key) WHERE kind = 'warning' AND property_id IS NOT NULL;
CREATE UNIQUE INDEX exposures_territory_warning ON exposures (territory_id, warning_key) WHERE kind = 'warning' AND territory_id IS NOT NULL;
CREATE UNIQUE INDEX contacts_one_primary ON contacts (property_id) WHERE "primary";

-- What is looked for often ---------------------------------------------------------------------
CREATE INDEX reports_pending ON reports (issued_at) WHERE status = 'pending';
CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE status IN ('queued', 'retrying');
CREATE INDEX archive_records_county ON archive_records (county_fips, occurred_on) WHERE precision = 'county' AND withdrawn_at IS NULL;
CREATE INDEX archive_records_zone ON archive_records (zone, occurred_on) WHERE precision = 'zone' AND withdrawn_at IS NULL;

-- A row never moves to another team ------------------------------------------------------------
CREATE FUNCTION refuse_team_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the team of a row of % cannot change', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;

DO $$
DECLARE owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['tokens', 'credit_transactions', 'idempotency_keys', 'reports', 'findings', 'report_records', 'documents',
    'properties', 'contacts', 'territories', 'watch_cells', 'exposures', 'events', 'integrations', 'deliveries', 'digests']
  LOOP
    EXECUTE format('CREATE TRIGGER keep_team BEFORE UPDATE OF team_id ON %I FOR EACH ROW
      WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION refuse_team_change()', owned);
  END LOOP;
END $$;

-- The ledger is written once -------------------------------------------------------------------
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is never rewritten: add an adjustment' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER keep_ledger BEFORE UPDATE OR DELETE ON credit_transactions FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();

-- A published report keeps its evidence ---------------------------------------------------------
CREATE FUNCTION refuse_evidence_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the evidence of a published report is never rewritten' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER keep_evidence BEFORE UPDATE ON report_records FOR EACH ROW EXECUTE FUNCTION refuse_evidence_change();
CREATE TRIGGER keep_findings BEFORE UPDATE ON findings FOR EACH ROW EXECUTE FUNCTION refuse_evidence_change();

-- The relay wakes when a job is staged -----------------------------------------------------------
CREATE FUNCTION announce_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbox', '');
  RETURN NULL;
END $$;
CREATE TRIGGER announce AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION announce_outbox();

-- What must never be true: `weather doctor` prints these rows, and every test ends with none -------
CREATE VIEW invariant_violations AS
  SELECT 'balance_is_sum_of_ledger' AS invariant, t.id AS team_id, t.id::text AS subject,
         format('balance %s, ledger %s', t.balance, coalesce(sum(c.amount), 0)) AS detail
    FROM teams t LEFT JOIN credit_transactions c ON c.team_id = t.id
   GROUP BY t.id HAVING t.balance <> coalesce(sum(c.amount), 0)
UNION ALL
  SELECT 'balance_after_is_running_sum', team_id, id::text, format('balance_after %s, running sum %s', balance_after, running)
    FROM (SELECT *, sum(amount) OVER (PARTITION BY team_id ORDER BY sequence) AS running FROM credit_transactions) c
   WHERE balance_after <> running
UNION ALL
  SELECT 'ledger_sequence_has_no_gap', t.id, t.id::text, format('sequence %s, rows %s', t.ledger_sequence, count(c.id))
    FROM teams t LEFT JOIN credit_transactions c ON c.team_id = t.id
   GROUP BY t.id HAVING t.ledger_sequence <> count(c.id) OR t.ledger_sequence <> coalesce(max(c.sequence), 0)
UNION ALL
  SELECT 'report_has_one_spend', r.team_id, r.id::text, 'no spend row names this report'
    FROM reports r
   WHERE NOT EXISTS (SELECT FROM credit_transactions c WHERE c.report_id = r.id AND c.kind = 'spend' AND c.team_id = r.team_id)
UNION ALL
  SELECT 'failed_report_is_refunded', r.team_id, r.id::text, 'failed without a refund row'
    FROM reports r
   WHERE r.status = 'failed' AND NOT EXISTS (SELECT FROM credit_transactions c WHERE c.report_id = r.id AND c.kind = 'refund' AND c.team_id = r.team_id)
UNION ALL
  SELECT 'only_failed_reports_are_refunded', c.team_id, c.report_id::text, 'a refund for a report that did not fail'
    FROM credit_transactions c JOIN reports r ON r.id = c.report_id
   WHERE c.kind = 'refund' AND r.status <> 'failed'
UNION ALL
  SELECT 'event_count_is_cited_records', r.team_id, r.id::text, format('event_count %s, cited records %s', r.event_count, count(c.position))
    FROM reports r LEFT JOIN report_records c ON c.report_id = r.id
   GROUP BY r.team_id, r.id HAVING r.event_count <> count(c.position)
UNION ALL
  SELECT 'pending_report_has_a_job', r.team_id, r.id::text, format('pending since %s without a job', r.issued_at)
    FROM reports r
   WHERE r.status = 'pending' AND r.issued_at < now() - interval '90 seconds'
     AND NOT EXISTS (SELECT FROM outbox o WHERE o.name = 'report.generate' AND o.payload ->> 'report_id' = r.id::text)
UNION ALL
  SELECT 'delivery_lease_ends', d.team_id, d.id::text, format('leased until %s', d.leased_until)
    FROM deliveries d
   WHERE d.status IN ('queued', 'retrying') AND d.leased_until < now() - interval '90 seconds'
UNION ALL
  SELECT 'property_has_one_primary_contact', c.team_id, c.property_id::text, 'contacts without a primary one'
    FROM contacts c GROUP BY c.team_id, c.property_id HAVING NOT bool_or(c."primary");
