-- Texts name the scale that the row states. Findings of older reports have none: their statements stay as they were printed.
ALTER TABLE "findings" ADD COLUMN "peak_tornado_rating" TEXT;
