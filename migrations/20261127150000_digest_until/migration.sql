-- When the period of a digest ended: the next begins there, in whatever zone the team is by then. Null of those before, and of processes of the
-- version before.
ALTER TABLE "digests" ADD COLUMN "until" TIMESTAMPTZ(3);
