-- The moment as of which a report was asked for, null for now; and the moment of the archive that it was compiled from, null in older reports.
ALTER TABLE "reports" ADD COLUMN "as_of" TIMESTAMPTZ(3), ADD COLUMN "searched_at" TIMESTAMPTZ(3);
