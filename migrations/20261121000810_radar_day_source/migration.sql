-- Made-up radar stays told apart from the agency's.
ALTER TABLE "radar_days" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'noaa_mesh';
ALTER TABLE "radar_days" ALTER COLUMN "source" DROP DEFAULT;
ALTER TABLE "radar_days" DROP CONSTRAINT "radar_days_pkey", ADD CONSTRAINT "radar_days_pkey" PRIMARY KEY ("block", "day", "source");
