-- More than detection has nothing but a queue to remember it: one table for all of that, with the schedule of its tries.
ALTER TABLE "detections" RENAME TO "lasting_jobs";
ALTER TABLE "lasting_jobs" RENAME CONSTRAINT "detections_pkey" TO "lasting_jobs_pkey";
ALTER SEQUENCE "detections_id_seq" RENAME TO "lasting_jobs_id_seq";
ALTER TABLE "lasting_jobs" RENAME COLUMN "issued_at" TO "due_at";
ALTER TABLE "lasting_jobs" ALTER COLUMN "due_at" DROP DEFAULT;
ALTER TABLE "lasting_jobs" ADD COLUMN "tries" INTEGER NOT NULL DEFAULT 0;
ALTER INDEX "detections_issued_at_idx" RENAME TO "lasting_jobs_due_at_idx";

-- Those that wait for a geocoder already.
INSERT INTO "lasting_jobs" ("job", "task", "due_at") SELECT 'property.locate', jsonb_build_object('property_id', id), now() FROM "properties" WHERE NOT "located";
