-- Everything that requests need to know about their tokens, in one round trip: no row for a token that is unknown,
-- expired or revoked. `wanted` requests of each are counted, as far as they fit, unless `cap` is null (their log then
-- lies elsewhere). They are counted by the token's hash, as where the log lies elsewhere: nobody reaches another's count
-- without the token itself. Buckets are locked in one order, so that callers wait for one another and never both. The use of a
-- token is written at most once a minute.
CREATE OR REPLACE FUNCTION admit(hashes text[], wanted integer[], cap integer, moment timestamptz)
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
     ORDER BY t.hash
  LOOP
    IF cap IS NOT NULL THEN
      SELECT c.granted, c.free, c.reset_at INTO granted, free, reset_at FROM count_hits(token_hash, cap, granted, true, moment) c;
    END IF;
    IF last_used_at IS NULL OR last_used_at <= moment - interval '1 minute' THEN
      UPDATE tokens t SET last_used_at = moment WHERE t.id = token_id;
      last_used_at := moment;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
