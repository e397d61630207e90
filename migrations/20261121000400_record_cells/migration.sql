-- The search index is written only where records are, and by the same statements: a check of each row would double its cost.
ALTER TABLE "record_cells" DROP CONSTRAINT "record_cells_record_id_fkey";
