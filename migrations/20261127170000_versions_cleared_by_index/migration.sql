-- Every fifteen seconds it is asked of each table of versions whether its first to end has had its time: these three were read whole for it.
CREATE INDEX "coverage_versions_until_revision_idx" ON "coverage_versions" ("until_revision");
CREATE INDEX "zone_county_versions_until_revision_idx" ON "zone_county_versions" ("until_revision");
CREATE INDEX "station_versions_until_revision_idx" ON "station_versions" ("until_revision");
-- The cells of a warning go with the last version of its messages.
CREATE INDEX "warning_past_cells_warning_key_idx" ON "warning_past_cells" ("warning_key");
