-- The cell of the radar grid that each property lies in (`gridCellNumber`): rows of 0.01 degrees from 54.995 north, columns of as much from
-- 180 west; strips of ten rows, in each 36,000 columns, in each the rows. A storm day finds by it the properties under its swaths. Adding
-- it writes the table anew.
ALTER TABLE "properties" ADD COLUMN "grid_cell" INTEGER GENERATED ALWAYS AS (
  (floor((54.995 - "latitude") / 0.01 + 0.5) + 359990 * floor(floor((54.995 - "latitude") / 0.01 + 0.5) / 10)
   + 10 * (floor(("longitude" - (-129.995)) / 0.01 + 0.5) + 5000))::int) STORED;
CREATE INDEX "properties_by_grid_cell" ON "properties" ("team_id", "grid_cell") WHERE "status" = 'watching' AND "located";
