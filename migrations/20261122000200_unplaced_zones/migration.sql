-- Reports say how many forecast-zone records of their states no zone table places. Those published before keep what they said.
ALTER TABLE "reports" ADD COLUMN "unplaced_zones" JSONB NOT NULL DEFAULT '[]';

-- Zone records of a state and a window, counted by zone and type without reading the records.
CREATE INDEX archive_records_zone_state ON archive_records (state, occurred_on) INCLUDE (zone, type) WHERE precision = 'zone' AND withdrawn_at IS NULL;
