-- The greatest width of a tornado's path, yards. Records read before have none until the file of their year is imported again.
ALTER TABLE "archive_records" ADD COLUMN "tornado_width_yd" DOUBLE PRECISION;
ALTER TABLE "record_versions" ADD COLUMN "tornado_width_yd" DOUBLE PRECISION;

-- Which of them lie around a tile.
CREATE INDEX "archive_records_wide_paths" ON "archive_records" USING gist (box(point("longitude", "latitude"), point("end_longitude", "end_latitude")))
  WHERE "tornado_width_yd" IS NOT NULL AND "precision" = 'path';
