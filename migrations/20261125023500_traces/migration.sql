-- Where the work that staged a job, or let something happen, stood in its trace. Processes of the version before leave it empty.
ALTER TABLE "outbox" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "events" ADD COLUMN "traceparent" TEXT;
