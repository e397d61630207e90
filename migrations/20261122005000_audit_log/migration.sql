-- Who did what: a row for each write that succeeded, in a chain for each team and one for the install, whose team is all zeros.
-- Every row is hashed with the hash of the row before it.
CREATE TABLE "audit_log" (
    "team_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "target_kind" TEXT NOT NULL,
    "target_id" TEXT,
    "before" JSON,
    "after" JSON,
    "changed" JSON,
    "request_id" TEXT,
    "network" TEXT,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("team_id","sequence")
);
CREATE INDEX "audit_log_at_idx" ON "audit_log"("at");

-- Where each chain begins and ends: the row before its oldest one, and its newest.
CREATE TABLE "audit_chains" (
    "team_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "hash" TEXT NOT NULL DEFAULT repeat('0', 64),
    "anchor_sequence" INTEGER NOT NULL DEFAULT 0,
    "anchor_hash" TEXT NOT NULL DEFAULT repeat('0', 64),

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("team_id")
);

-- Every team has its chain from the beginning, so that one that was taken away is missed.
CREATE FUNCTION begin_audit_chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO audit_chains (team_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER begin_audit_chain AFTER INSERT ON teams FOR EACH ROW EXECUTE FUNCTION begin_audit_chain();
SELECT set_config('app.scope', 'system', true);
INSERT INTO audit_chains (team_id) SELECT id FROM teams UNION ALL SELECT '00000000-0000-0000-0000-000000000000';

-- Rows are added, and the oldest leave when they have had their time; nothing else.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('weather.retiring', true) = 'on' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the audit log is never rewritten';
END $$;
CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER keep_audit_whole BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER keep_team BEFORE UPDATE OF team_id ON audit_chains FOR EACH ROW WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION refuse_team_change();

-- Adds a row to the end of a chain, at the database's time: the one way for the role that serves. The chain is locked from here to the
-- end of the transaction. `entry` is canonical JSON (RFC 8785) of what the row says, and goes into what is hashed as it is.
CREATE FUNCTION append_audit(chain uuid, entry json) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head audit_chains;
  moment timestamptz;
  hashed text;
BEGIN
  -- The owner of this function may see every team's rows: whoever works for one team adds to its chain alone.
  IF current_setting('app.scope', true) IS DISTINCT FROM 'system' AND chain::text IS DISTINCT FROM current_setting('app.team_id', true) THEN
    RAISE EXCEPTION 'this is another team''s audit log' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT * INTO head FROM audit_chains c WHERE c.team_id = chain FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_chains (team_id) VALUES (chain) ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT head FROM audit_chains c WHERE c.team_id = chain FOR UPDATE;
  END IF;
  moment := date_trunc('milliseconds', clock_timestamp());
  hashed := encode(sha256(convert_to(
    '{"at":"' || to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","entry":' || entry::text
    || ',"previous_hash":"' || head.hash || '","sequence":' || head.sequence + 1 || ',"team_id":"' || chain || '"}', 'UTF8')), 'hex');
  INSERT INTO audit_log (team_id, sequence, at, actor_kind, actor, operation, target_kind, target_id, before, after, changed, request_id, network, previous_hash, hash)
  VALUES (chain, head.sequence + 1, moment, entry ->> 'actor_kind', entry ->> 'actor', entry ->> 'operation', entry ->> 'target_kind', entry ->> 'target_id',
          nullif((entry -> 'before')::text, 'null')::json, nullif((entry -> 'after')::text, 'null')::json, nullif((entry -> 'changed')::text, 'null')::json,
          entry ->> 'request_id', entry ->> 'network', head.hash, hashed);
  UPDATE audit_chains c SET sequence = head.sequence + 1, hash = hashed WHERE c.team_id = chain;
  RETURN head.sequence + 1;
END $$;

-- Removes the oldest rows of a chain, at most 5,000 of those older than so many days, and moves its beginning behind them. What is younger
-- than 30 days stays, whoever asks. Answers how many went.
CREATE FUNCTION retire_audit(chain uuid, days integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  head audit_chains;
  young integer;
  last integer;
BEGIN
  IF current_setting('app.scope', true) IS DISTINCT FROM 'system' THEN
    RAISE EXCEPTION 'the service alone retires rows of the audit log' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF days < 30 THEN RAISE EXCEPTION 'the audit log is kept for 30 days at least'; END IF;
  SELECT * INTO STRICT head FROM audit_chains c WHERE c.team_id = chain FOR UPDATE;
  SELECT l.sequence INTO young FROM audit_log l
   WHERE l.team_id = chain AND l.at >= clock_timestamp() - make_interval(days => days) ORDER BY l.sequence LIMIT 1;
  last := least(coalesce(young - 1, head.sequence), head.anchor_sequence + 5000);
  IF last <= head.anchor_sequence THEN RETURN 0; END IF;
  UPDATE audit_chains c SET anchor_sequence = last, anchor_hash = (SELECT l.hash FROM audit_log l WHERE l.team_id = chain AND l.sequence = last) WHERE c.team_id = chain;
  PERFORM set_config('weather.retiring', 'on', true);
  DELETE FROM audit_log l WHERE l.team_id = chain AND l.sequence <= last;
  PERFORM set_config('weather.retiring', '', true);
  RETURN last - head.anchor_sequence;
END $$;

-- The role that serves is granted both when it is given its rights.
REVOKE EXECUTE ON FUNCTION append_audit(uuid, json), retire_audit(uuid, integer) FROM PUBLIC;
