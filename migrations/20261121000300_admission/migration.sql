-- The sliding log of requests and the one statement that admits a token.

-- A hit is worth a minute: the log is not written ahead, so counting never waits for a disk, and a crash empties it.
DROP TABLE "rate_hits";
CREATE UNLOGGED TABLE "rate_hits" (
    "bucket" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL,
    "cost" INTEGER NOT NULL,

    CONSTRAINT "rate_hits_pkey" PRIMARY KEY ("bucket", "at", "sequence")
);

-- Counts `wanted` requests in a bucket as far as at most `cap` then lie in the last 60 seconds: all of them or none,
-- or, `partly`, the first that fit. `free` is what fitted before. One caller of a bucket at a time. `sequence` is the
-- running sum of costs, so that what lies in the window is a difference of two rows, however large the cap. Time never
-- runs backwards within a bucket: servers' clocks may differ a little.
CREATE FUNCTION count_hits(which text, cap integer, wanted integer, partly boolean, moment timestamptz, OUT granted integer, OUT free integer, OUT reset_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  newest rate_hits;
  oldest rate_hits;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(which, 60));
  SELECT * INTO newest FROM rate_hits h WHERE h.bucket = which ORDER BY h.at DESC, h.sequence DESC LIMIT 1;
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

-- Everything that requests need to know about their tokens, in one round trip: no row for a token that is unknown,
-- expired or revoked. `wanted` requests of each are counted, as far as they fit, unless `cap` is null (their log then
-- lies elsewhere). Buckets are locked in one order, so that callers wait for one another and never both. The use of a
-- token is written at most once a minute.
CREATE FUNCTION admit(hashes text[], wanted integer[], cap integer, moment timestamptz)
RETURNS TABLE (
  token_hash text, token_id uuid, token_name text, prefix text, abilities text[], expires_at timestamptz, last_used_at timestamptz,
  team_id uuid, team_name text, timezone text, plan text, trial_ends_at timestamptz, lapsed_at timestamptz, limit_overrides jsonb,
  team_created_at timestamptz, granted integer, free integer, reset_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  FOR token_hash, token_id, token_name, prefix, abilities, expires_at, last_used_at,
      team_id, team_name, timezone, plan, trial_ends_at, lapsed_at, limit_overrides, team_created_at, granted IN
    SELECT t.hash, t.id, t.name, t.prefix, t.abilities, t.expires_at, t.last_used_at,
           g.id, g.name, g.timezone, g.plan, g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at, asked.wanted
      FROM unnest(hashes, wanted) AS asked (hash, wanted) JOIN tokens t ON t.hash = asked.hash JOIN teams g ON g.id = t.team_id
     WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > moment)
     ORDER BY t.prefix
  LOOP
    IF cap IS NOT NULL THEN
      SELECT c.granted, c.free, c.reset_at INTO granted, free, reset_at FROM count_hits(prefix, cap, granted, true, moment) c;
    END IF;
    IF last_used_at IS NULL OR last_used_at <= moment - interval '1 minute' THEN
      UPDATE tokens t SET last_used_at = moment WHERE t.id = token_id;
      last_used_at := moment;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
