-- Of a window whose days PostgreSQL had no statistics of yet, which the newest year's are for months, it took the index by day for a search of
-- counties, and walked all that was recorded in the window. The condition of this one is met only by statements that say it in these words.
CREATE INDEX "archive_records_exported" ON "archive_records" ("occurred_on", "id") WHERE "withdrawn_at" IS NULL AND ("precision" = 'grid') IS FALSE;
