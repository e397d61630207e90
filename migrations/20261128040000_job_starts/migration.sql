-- How often a job was started without an end: one that kills its process comes to an end too. Processes of the version before do not count.
ALTER TABLE "lasting_jobs" ADD COLUMN "starts" INTEGER NOT NULL DEFAULT 0;
