-- A destination whose receiver asked for a pause, how often in a row and since when it has, and when a team last set a destination active again.
ALTER TABLE "integrations" ADD COLUMN "held_until" TIMESTAMPTZ(3), ADD COLUMN "hold_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "held_since" TIMESTAMPTZ(3),
  ADD COLUMN "activated_at" TIMESTAMPTZ(3);
-- When the mail of a digest was given up.
ALTER TABLE "digests" ADD COLUMN "mail_failed_at" TIMESTAMPTZ(3);
-- What waits for one destination, a retry from its time and a new post from its creation. deliveries_waiting stays for processes of the version before.
CREATE INDEX "deliveries_by_time" ON "deliveries" ("integration_id", (coalesce("next_attempt_at", "created_at")), "id")
  WHERE "status" IN ('queued', 'retrying');
