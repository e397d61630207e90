-- A point outside the county that the source names is kept, with the county, and marked.
ALTER TABLE "archive_records" ADD COLUMN "county_mismatch" BOOLEAN;
