-- Each transaction that changes the archive is a revision of it. A row names the revision that brought it as it stands; what it said before
-- stands in the table of its versions. Rows older than this migration have revision 0: they were known before the archive remembered.
CREATE TABLE "archive_revisions" (
  "id" SERIAL NOT NULL,
  "known_at" TIMESTAMPTZ(3) NOT NULL,
  "source" TEXT,
  "run_id" UUID,
  "file_name" TEXT,
  "forgot" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "archive_revisions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "archive_revisions_known_at_key" ON "archive_revisions"("known_at");

-- A new row has the revision that the open transaction is, 0 outside of one.
-- In two steps each: a constant default is added without writing the rows anew.
ALTER TABLE "archive_records" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "archive_records" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "coverage" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "coverage" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "coverage_days" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "coverage_days" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "zone_counties" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "zone_counties" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "stations" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "stations" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "observations" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "observations" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "warning_messages" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "warning_messages" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;
ALTER TABLE "radar_frames" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "radar_frames" ALTER COLUMN "revision" SET DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer;

CREATE TABLE "record_versions" (
  "record_id" INTEGER NOT NULL,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  "type" TEXT NOT NULL,
  "family" TEXT NOT NULL,
  "severity" TEXT NOT NULL,
  "occurred_on" DATE NOT NULL,
  "begins_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3),
  "time_unsure" BOOLEAN NOT NULL,
  "wind_speed_mph" DOUBLE PRECISION,
  "wind_gust_mph" DOUBLE PRECISION,
  "hail_size_in" DOUBLE PRECISION,
  "tornado_ef_scale" DOUBLE PRECISION,
  "latitude" DOUBLE PRECISION,
  "longitude" DOUBLE PRECISION,
  "end_latitude" DOUBLE PRECISION,
  "end_longitude" DOUBLE PRECISION,
  "corners" JSONB,
  "county" TEXT,
  "county_fips" TEXT,
  "county_mismatch" BOOLEAN,
  "zone" TEXT,
  "state" TEXT,
  "precision" TEXT NOT NULL,
  "evidence_kind" TEXT NOT NULL,
  "is_observed" BOOLEAN NOT NULL,
  "qualifier" TEXT,
  "preliminary" BOOLEAN NOT NULL,
  "reporter" TEXT,
  "file_name" TEXT,
  "citation_url" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "caveats" TEXT[],
  "compiled_on" DATE,
  "file_id" INTEGER,
  "span_start" BIGINT,
  "span_length" INTEGER,
  "issued_at" TIMESTAMPTZ(3),
  CONSTRAINT "record_versions_pkey" PRIMARY KEY ("record_id", "until_revision")
);
CREATE INDEX "record_versions_until_revision_idx" ON "record_versions"("until_revision");
CREATE INDEX "record_versions_county" ON "record_versions"("county_fips", "occurred_on") WHERE "precision" = 'county';
CREATE INDEX "record_versions_zone" ON "record_versions"("zone", "occurred_on") WHERE "precision" = 'zone';
CREATE INDEX "record_versions_zone_state" ON "record_versions"("state", "occurred_on") WHERE "precision" = 'zone';

CREATE TABLE "record_past_cells" (
  "cell" INTEGER NOT NULL,
  "occurred_on" DATE NOT NULL,
  "ends_on" DATE NOT NULL,
  "record_id" INTEGER NOT NULL,
  CONSTRAINT "record_past_cells_pkey" PRIMARY KEY ("cell", "occurred_on", "ends_on", "record_id")
);

CREATE TABLE "coverage_versions" (
  "source" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "preliminary" BOOLEAN NOT NULL,
  "compiled_on" DATE,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  CONSTRAINT "coverage_versions_pkey" PRIMARY KEY ("source", "state", "month", "until_revision")
);

CREATE TABLE "zone_county_versions" (
  "zone" TEXT NOT NULL,
  "county_fips" TEXT NOT NULL,
  "name" TEXT,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  CONSTRAINT "zone_county_versions_pkey" PRIMARY KEY ("zone", "county_fips", "until_revision")
);
CREATE INDEX "zone_county_versions_county_fips_idx" ON "zone_county_versions"("county_fips");

CREATE TABLE "station_versions" (
  "station_id" TEXT NOT NULL,
  "latitude" DOUBLE PRECISION NOT NULL,
  "longitude" DOUBLE PRECISION NOT NULL,
  "cell" INTEGER NOT NULL,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  CONSTRAINT "station_versions_pkey" PRIMARY KEY ("station_id", "until_revision")
);
CREATE INDEX "station_versions_cell_idx" ON "station_versions"("cell");

CREATE TABLE "observation_versions" (
  "station_id" TEXT NOT NULL,
  "observed_at" TIMESTAMPTZ(3) NOT NULL,
  "wind_gust_mph" DOUBLE PRECISION,
  "precipitation_in" DOUBLE PRECISION,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  CONSTRAINT "observation_versions_pkey" PRIMARY KEY ("station_id", "observed_at", "until_revision")
);

CREATE TABLE "warning_message_versions" (
  "warning_key" TEXT NOT NULL,
  "message_key" TEXT NOT NULL,
  "action" TEXT NOT NULL,
  "identifier" TEXT NOT NULL,
  "event" TEXT NOT NULL,
  "headline" TEXT,
  "message_type" TEXT NOT NULL,
  "severity" TEXT NOT NULL,
  "certainty" TEXT NOT NULL,
  "urgency" TEXT NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL,
  "correction" TEXT,
  "begins_at" TIMESTAMPTZ(3),
  "onset_at" TIMESTAMPTZ(3),
  "expires_at" TIMESTAMPTZ(3),
  "ends_at" TIMESTAMPTZ(3),
  "office_name" TEXT NOT NULL,
  "vtec" TEXT NOT NULL,
  "threats" JSONB NOT NULL,
  "area" TEXT,
  "instruction" TEXT,
  "geometry" JSONB,
  "polygon_fault" TEXT,
  "county_fips" TEXT[],
  "zones" TEXT[],
  "citation_url" TEXT NOT NULL,
  "digest" TEXT NOT NULL,
  "made" BOOLEAN NOT NULL,
  "from_revision" INTEGER NOT NULL,
  "until_revision" INTEGER NOT NULL,
  CONSTRAINT "warning_message_versions_pkey" PRIMARY KEY ("warning_key", "message_key", "until_revision")
);

CREATE TABLE "warning_past_cells" (
  "cell" INTEGER NOT NULL,
  "warning_key" TEXT NOT NULL,
  CONSTRAINT "warning_past_cells_pkey" PRIMARY KEY ("cell", "warning_key")
);

CREATE TABLE "feed_marks" (
  "source" TEXT NOT NULL,
  "watermark" TIMESTAMPTZ(3) NOT NULL,
  "revision" INTEGER NOT NULL DEFAULT coalesce(nullif(current_setting('archive.revision', true), ''), '0')::integer,
  CONSTRAINT "feed_marks_pkey" PRIMARY KEY ("source", "revision")
);
INSERT INTO "feed_marks" ("source", "watermark", "revision")
  SELECT "url", "watermark", 0 FROM "feed_states" WHERE "url" IN ('nws_lsr', 'noaa_spc_reports') AND "watermark" IS NOT NULL;

-- An archive that holds something already remembers from now on.
INSERT INTO "archive_revisions" ("id", "known_at")
  SELECT 0, clock_timestamp() WHERE EXISTS (SELECT FROM "archive_records") OR EXISTS (SELECT FROM "coverage") OR EXISTS (SELECT FROM "coverage_days")
    OR EXISTS (SELECT FROM "zone_counties") OR EXISTS (SELECT FROM "warnings") OR EXISTS (SELECT FROM "observations") OR EXISTS (SELECT FROM "radar_frames");
