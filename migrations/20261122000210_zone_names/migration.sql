-- Findings name the forecast zone of a record in words.
ALTER TABLE "zone_counties" ADD COLUMN "name" TEXT;
-- Which zone a cited record names, as it stood when its report was published.
ALTER TABLE "report_records" ADD COLUMN "zone" TEXT, ADD COLUMN "zone_name" TEXT;
