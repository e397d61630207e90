-- Of which hours a kept day is, so that reports can say what its figures are the largest of. Of the rows that are held already nobody
-- knows any more: maps show them, and reports leave them out.
ALTER TABLE "radar_days"
  ADD COLUMN "from_at" TIMESTAMPTZ(3),
  ADD COLUMN "until_at" TIMESTAMPTZ(3),
  ADD COLUMN "of_moments" BOOLEAN,
  ADD COLUMN "file_id" INTEGER,
  ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;

-- Where radar looked on a day, known when its frames are gone too.
ALTER TABLE "radar_day_overviews" ADD COLUMN "coverage" BYTEA;

-- Since which revision the largest of a day is kept: it stays held without its moments.
ALTER TABLE "coverage_days" ADD COLUMN "largest_since" INTEGER;
