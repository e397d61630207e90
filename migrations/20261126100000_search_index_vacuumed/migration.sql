-- A search is answered from its index alone where the pages of the rows are known to be visible to all. An import vacuums them, but for roles that
-- PostgreSQL before 17 does not let: autovacuum then comes after so many rows, and not after a fifth of the table, which are twenty million of a hundred.
-- What it marks are the new pages alone.
ALTER TABLE "record_cells" SET (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 10000);
