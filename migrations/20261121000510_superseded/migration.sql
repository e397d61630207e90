-- Records that a later source may end: few, and asked for with every file of final ones.
CREATE INDEX archive_records_superseded ON archive_records (state, occurred_on) WHERE (preliminary OR source = 'sample') AND withdrawn_at IS NULL;
