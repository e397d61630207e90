-- An exposure whose watch was moved away stays as it stood.
ALTER TABLE "exposures" ADD COLUMN "historic" BOOLEAN NOT NULL DEFAULT false;

-- What a changed day of the archive may have touched.
CREATE INDEX "exposures_date_idx" ON "exposures"("date");

-- The join of records and watches is answered from the index alone.
DROP INDEX "watch_cells_cell_idx";
CREATE INDEX "watch_cells_cover" ON "watch_cells"("cell", "latitude", "longitude", "radius_miles", "subject_id", "team_id", "subject");
