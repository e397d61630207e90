-- The archive's records by day, the newest first: what OGC API Features and exports of the archive read a page at a time.
CREATE INDEX "archive_records_by_day" ON "archive_records" ("occurred_on", "id") WHERE "withdrawn_at" IS NULL AND "precision" <> 'grid';
