-- Requests are counted by the database's time where `moment` is null: servers whose clocks differ share one time, and one whose
-- clock was set back or ahead shuts nobody out. Counts of more than a second ahead are dropped, as the database's own clock can be set
-- back too; within that second, time stands still rather than run backwards.
CREATE OR REPLACE FUNCTION count_hits(which text, cap integer, wanted integer, partly boolean, moment timestamptz, OUT granted integer, OUT free integer, OUT reset_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  newest rate_hits;
  oldest rate_hits;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(which, 60));
  SELECT * INTO newest FROM rate_hits h WHERE h.bucket = which ORDER BY h.at DESC, h.sequence DESC LIMIT 1;
  -- Read behind the lock: within a bucket time runs as its callers came.
  moment := coalesce(moment, date_trunc('milliseconds', clock_timestamp()));
  IF newest.at > moment + interval '1 second' THEN
    DELETE FROM rate_hits h WHERE h.bucket = which AND h.at > moment + interval '1 second';
    SELECT * INTO newest FROM rate_hits h WHERE h.bucket = which ORDER BY h.at DESC, h.sequence DESC LIMIT 1;
  END IF;
  newest.sequence := coalesce(newest.sequence, 0);
  moment := greatest(moment, newest.at);
  SELECT * INTO oldest FROM rate_hits h WHERE h.bucket = which AND h.at > moment - interval '60 seconds' ORDER BY h.at, h.sequence LIMIT 1;
  free := greatest(cap - coalesce(newest.sequence - oldest.sequence + oldest.cost, 0), 0);
  granted := CASE WHEN wanted <= free THEN wanted WHEN partly THEN free ELSE 0 END;
  IF granted > 0 THEN
    INSERT INTO rate_hits VALUES (which, moment, newest.sequence + granted, granted);
  END IF;
  IF granted = wanted THEN
    reset_at := oldest.at;
  ELSE
    SELECT h.at INTO reset_at FROM rate_hits h
     WHERE h.bucket = which AND h.at > moment - interval '60 seconds'
       AND h.sequence >= newest.sequence + granted + CASE WHEN partly THEN 1 ELSE wanted END - cap
     ORDER BY h.at, h.sequence LIMIT 1;
  END IF;
  reset_at := coalesce(reset_at, moment) + interval '60 seconds';
END $$;

-- As before, with `moment` null for the database's time.
CREATE OR REPLACE FUNCTION admit(hashes text[], wanted integer[], cap integer, moment timestamptz)
RETURNS TABLE (
  token_hash text, token_id uuid, token_name text, prefix text, abilities text[], expires_at timestamptz, last_used_at timestamptz,
  team_id uuid, team_name text, timezone text, plan text, trial_ends_at timestamptz, lapsed_at timestamptz, limit_overrides jsonb,
  team_created_at timestamptz, granted integer, free integer, reset_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Null goes on as null: a bucket's moment is read behind its lock.
  given CONSTANT timestamptz := moment;
BEGIN
  moment := coalesce(moment, date_trunc('milliseconds', clock_timestamp()));
  FOR token_hash, token_id, token_name, prefix, abilities, expires_at, last_used_at,
      team_id, team_name, timezone, plan, trial_ends_at, lapsed_at, limit_overrides, team_created_at, granted IN
    SELECT t.hash, t.id, t.name, t.prefix, t.abilities, t.expires_at, t.last_used_at,
           g.id, g.name, g.timezone, g.plan, g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at, asked.wanted
      FROM unnest(hashes, wanted) AS asked (hash, wanted) JOIN tokens t ON t.hash = asked.hash JOIN teams g ON g.id = t.team_id
     WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > moment)
     ORDER BY t.hash
  LOOP
    IF cap IS NOT NULL THEN
      SELECT c.granted, c.free, c.reset_at INTO granted, free, reset_at FROM count_hits(token_hash, cap, granted, true, given) c;
    END IF;
    IF last_used_at IS NULL OR last_used_at <= moment - interval '1 minute' THEN
      UPDATE tokens t SET last_used_at = moment WHERE t.id = token_id;
      last_used_at := moment;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
