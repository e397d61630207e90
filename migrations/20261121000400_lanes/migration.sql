-- Several products may state one report: the newest of them speaks, in whatever order they come.
ALTER TABLE archive_records ADD COLUMN issued_at TIMESTAMPTZ(3);

-- The reports around a correction: it names what it corrects by place, and may have moved its time.
CREATE INDEX archive_records_issued ON archive_records (source, begins_at) WHERE issued_at IS NOT NULL;

-- The hail over a few blocks in a span of years: most frames have none there.
CREATE INDEX radar_blocks_block_frame_id_idx ON radar_blocks (block, frame_id);

