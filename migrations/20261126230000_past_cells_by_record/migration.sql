-- Clearing versions looks for the past cells of the records that it was at: each time through all of them else.
CREATE INDEX record_past_cells_record_id_idx ON record_past_cells (record_id);
