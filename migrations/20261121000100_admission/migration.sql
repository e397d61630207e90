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

-- Counts `price` requests in a bucket if at most `cap` then lie in the last 60 seconds, else none. One caller of a
-- bucket at a time. `sequence` is the running sum of costs, so that what lies in the window is a difference of two
-- rows, however large the cap. Time never runs backwards within a bucket: servers' clocks may differ a little.
CREATE FUNCTION count_hits(which text, cap integer, price integer, moment timestamptz, OUT allowed boolean, OUT remaining integer, OUT reset_at timestamptz)
LANGUAGE plpgsql AS $$
DECLARE
  newest rate_hits;
  oldest rate_hits;
  used bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(which, 60));
  SELECT * INTO newest FROM rate_hits h WHERE h.bucket = which ORDER BY h.at DESC, h.sequence DESC LIMIT 1;
  moment := greatest(moment, newest.at);
  SELECT * INTO oldest FROM rate_hits h WHERE h.bucket = which AND h.at > moment - interval '60 seconds' ORDER BY h.at, h.sequence LIMIT 1;
  used := coalesce(newest.sequence - oldest.sequence + oldest.cost, 0);
  allowed := used + price <= cap;
  IF allowed THEN
    INSERT INTO rate_hits VALUES (which, moment, coalesce(newest.sequence, 0) + price, price);
    remaining := cap - used - price;
    reset_at := coalesce(oldest.at, moment) + interval '60 seconds';
  ELSE
    remaining := greatest(cap - used, 0);
    SELECT h.at INTO reset_at FROM rate_hits h
     WHERE h.bucket = which AND h.at > moment - interval '60 seconds' AND h.sequence >= newest.sequence + price - cap
     ORDER BY h.at, h.sequence LIMIT 1;
    reset_at := coalesce(reset_at, moment) + interval '60 seconds';
  END IF;
END $$;

-- Everything a request needs to know about its token, in one round trip: no row for a token that is unknown, expired
-- or revoked. The request is counted too unless `cap` is null (its log then lies elsewhere). The use of a token is
-- written at most once a minute.
CREATE FUNCTION admit(token_hash text, cap integer, price integer, moment timestamptz)
RETURNS TABLE (
  token_id uuid, token_name text, prefix text, abilities text[], expires_at timestamptz, last_used_at timestamptz,
  team_id uuid, team_name text, timezone text, plan text, trial_ends_at timestamptz, lapsed_at timestamptz, limit_overrides jsonb,
  team_created_at timestamptz, allowed boolean, remaining integer, reset_at timestamptz)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  SELECT t.id, t.name, t.prefix, t.abilities, t.expires_at, t.last_used_at,
         g.id, g.name, g.timezone, g.plan, g.trial_ends_at, g.lapsed_at, g.limit_overrides, g.created_at
    INTO token_id, token_name, prefix, abilities, expires_at, last_used_at,
         team_id, team_name, timezone, plan, trial_ends_at, lapsed_at, limit_overrides, team_created_at
    FROM tokens t JOIN teams g ON g.id = t.team_id
   WHERE t.hash = token_hash AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > moment);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF cap IS NOT NULL THEN
    SELECT c.allowed, c.remaining, c.reset_at INTO allowed, remaining, reset_at FROM count_hits(prefix, cap, price, moment) c;
  END IF;
  IF last_used_at IS NULL OR last_used_at <= moment - interval '1 minute' THEN
    UPDATE tokens t SET last_used_at = moment WHERE t.id = token_id;
    last_used_at := moment;
  END IF;
  RETURN NEXT;
END $$;
