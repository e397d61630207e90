-- Of the credits spent in a period, those that its allowance did not pay: what is refunded goes back where it came from.
ALTER TABLE "teams" ADD COLUMN "used_beyond_grant" INTEGER NOT NULL DEFAULT 0;

-- Of the periods under way: what was spent beyond the allowance granted in them.
UPDATE teams t SET used_beyond_grant = greatest(used_this_period - coalesce((
  SELECT sum(amount) FROM credit_transactions WHERE team_id = t.id AND kind = 'allowance' AND created_at >= t.period_started_at), 0), 0);

ALTER TABLE teams ADD CONSTRAINT teams_used_beyond_grant CHECK (used_beyond_grant >= 0);
