-- A property is also found by the text of its address, for each row of an import.
CREATE INDEX "properties_team_id_query_key_idx" ON "properties" ("team_id", "query_key");
