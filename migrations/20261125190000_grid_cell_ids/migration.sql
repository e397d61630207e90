-- A storm day asks for nothing of a property but its cell and its id: with both in the index, none of a hundred thousand rows is fetched.
CREATE INDEX "properties_by_grid_cell_with_id" ON "properties" ("team_id", "grid_cell") INCLUDE ("id") WHERE "status" = 'watching' AND "located";
DROP INDEX "properties_by_grid_cell";
ALTER INDEX "properties_by_grid_cell_with_id" RENAME TO "properties_by_grid_cell";
