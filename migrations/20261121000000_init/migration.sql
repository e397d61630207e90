-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'America/Chicago',
    "email" TEXT,
    "plan" TEXT NOT NULL,
    "trial_ends_at" TIMESTAMPTZ(3),
    "lapsed_at" TIMESTAMPTZ(3),
    "limit_overrides" JSONB NOT NULL DEFAULT '{}',
    "balance" INTEGER NOT NULL DEFAULT 0,
    "allowance_left" INTEGER NOT NULL DEFAULT 0,
    "used_this_period" INTEGER NOT NULL DEFAULT 0,
    "lapsed_this_period" INTEGER NOT NULL DEFAULT 0,
    "period_started_at" TIMESTAMPTZ(3) NOT NULL,
    "renews_at" TIMESTAMPTZ(3) NOT NULL,
    "renewal_day" INTEGER NOT NULL,
    "ledger_sequence" INTEGER NOT NULL DEFAULT 0,
    "exposure_clock" TIMESTAMPTZ(6) NOT NULL DEFAULT '2000-01-01 00:00:00+00'::timestamp with time zone,
    "paper" TEXT NOT NULL DEFAULT 'letter',
    "brand_name" TEXT,
    "brand_logo" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tokens" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "abilities" TEXT[],
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_hits" (
    "id" BIGSERIAL NOT NULL,
    "bucket" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_hits_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_transactions" (
    "id" SERIAL NOT NULL,
    "team_id" UUID NOT NULL,
    "sequence" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "note" TEXT,
    "report_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "team_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "outcome" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("team_id","key")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reports" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "query" TEXT NOT NULL,
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "postal_code" TEXT,
    "county" TEXT,
    "county_fips" TEXT,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "precision" TEXT,
    "window_start" DATE NOT NULL,
    "window_end" DATE NOT NULL,
    "radius_miles" DOUBLE PRECISION NOT NULL,
    "narrowed_by_plan" BOOLEAN NOT NULL DEFAULT false,
    "property_id" UUID,
    "reference" TEXT,
    "recipient" TEXT,
    "event_count" INTEGER NOT NULL DEFAULT 0,
    "observation_count" INTEGER NOT NULL DEFAULT 0,
    "coverage_complete" BOOLEAN NOT NULL DEFAULT false,
    "coverage_provisional" BOOLEAN NOT NULL DEFAULT false,
    "coverage_summary" TEXT,
    "sources_searched" TEXT[],
    "source_vintages" JSONB NOT NULL DEFAULT '[]',
    "headline" TEXT,
    "fingerprint" TEXT,
    "failure_reason" TEXT,
    "plan_tier" TEXT NOT NULL,
    "layout" JSONB NOT NULL,
    "pdf_status" TEXT,
    "pdf_rendered_at" TIMESTAMPTZ(3),
    "sample" BOOLEAN NOT NULL DEFAULT false,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "generated_at" TIMESTAMPTZ(3),

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "findings" (
    "report_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "family" TEXT NOT NULL,
    "family_label" TEXT NOT NULL,
    "event_count" INTEGER NOT NULL,
    "peak_severity" TEXT NOT NULL,
    "evidence_kinds" TEXT[],
    "evidence_labels" TEXT[],
    "dates" DATE[],
    "most_recent" DATE NOT NULL,
    "peak_hail_in" DOUBLE PRECISION,
    "peak_wind_mph" DOUBLE PRECISION,
    "peak_tornado_ef" DOUBLE PRECISION,
    "nearest_miles" DOUBLE PRECISION,
    "any_observed" BOOLEAN NOT NULL,
    "confidence" TEXT NOT NULL,
    "confidence_label" TEXT NOT NULL,
    "statement" TEXT NOT NULL,

    CONSTRAINT "findings_pkey" PRIMARY KEY ("report_id","position")
);

-- CreateTable
CREATE TABLE "report_records" (
    "report_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "record_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "occurred_on" DATE NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
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
    "state" TEXT,
    "precision" TEXT NOT NULL,
    "relevance" TEXT NOT NULL,
    "distance_miles" DOUBLE PRECISION,
    "bearing" TEXT,
    "source" TEXT NOT NULL,
    "source_label" TEXT NOT NULL,
    "evidence_kind" TEXT NOT NULL,
    "is_observed" BOOLEAN NOT NULL,
    "qualifier" TEXT,
    "methodology" TEXT NOT NULL,
    "citation_url" TEXT NOT NULL,
    "description" TEXT NOT NULL,

    CONSTRAINT "report_records_pkey" PRIMARY KEY ("report_id","position")
);

-- CreateTable
CREATE TABLE "documents" (
    "report_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("report_id")
);

-- CreateTable
CREATE TABLE "withdrawn_fingerprints" (
    "fingerprint" TEXT NOT NULL,
    "generated_at" TIMESTAMPTZ(3) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "withdrawn_fingerprints_pkey" PRIMARY KEY ("fingerprint")
);

-- CreateTable
CREATE TABLE "archive_records" (
    "id" SERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "source_key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "occurred_on" DATE NOT NULL,
    "begins_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "time_unsure" BOOLEAN NOT NULL DEFAULT false,
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
    "zone" TEXT,
    "state" TEXT,
    "precision" TEXT NOT NULL,
    "evidence_kind" TEXT NOT NULL,
    "is_observed" BOOLEAN NOT NULL,
    "qualifier" TEXT,
    "preliminary" BOOLEAN NOT NULL DEFAULT false,
    "reporter" TEXT,
    "file_name" TEXT,
    "citation_url" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "compiled_on" DATE,
    "withdrawn_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "archive_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "record_cells" (
    "record_id" INTEGER NOT NULL,
    "cell" INTEGER NOT NULL,
    "occurred_on" DATE NOT NULL,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,

    CONSTRAINT "record_cells_pkey" PRIMARY KEY ("record_id","cell")
);

-- CreateTable
CREATE TABLE "event_locations" (
    "event_id" TEXT NOT NULL,
    "location_index" INTEGER NOT NULL,
    "latitude" DOUBLE PRECISION NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,
    "compiled_on" DATE,

    CONSTRAINT "event_locations_pkey" PRIMARY KEY ("event_id","location_index")
);

-- CreateTable
CREATE TABLE "coverage" (
    "source" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "preliminary" BOOLEAN NOT NULL DEFAULT false,
    "compiled_on" DATE,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coverage_pkey" PRIMARY KEY ("source","state","month")
);

-- CreateTable
CREATE TABLE "import_runs" (
    "id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "rows" INTEGER NOT NULL DEFAULT 0,
    "inserted" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "withdrawn" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "rejections" JSONB NOT NULL DEFAULT '[]',
    "failure" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "import_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "zone_counties" (
    "zone" TEXT NOT NULL,
    "county_fips" TEXT NOT NULL,

    CONSTRAINT "zone_counties_pkey" PRIMARY KEY ("zone","county_fips")
);

-- CreateTable
CREATE TABLE "stations" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "latitude" DOUBLE PRECISION NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,
    "cell" INTEGER NOT NULL,

    CONSTRAINT "stations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "observations" (
    "station_id" TEXT NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "wind_gust_mph" DOUBLE PRECISION,
    "precipitation_in" DOUBLE PRECISION,

    CONSTRAINT "observations_pkey" PRIMARY KEY ("station_id","observed_at")
);

-- CreateTable
CREATE TABLE "warnings" (
    "id" SERIAL NOT NULL,
    "source_key" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "headline" TEXT,
    "status" TEXT NOT NULL,
    "message_type" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "certainty" TEXT NOT NULL,
    "urgency" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "onset_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "office_id" TEXT NOT NULL,
    "office_name" TEXT NOT NULL,
    "vtec" TEXT NOT NULL,
    "phenomenon" TEXT NOT NULL,
    "significance" TEXT NOT NULL,
    "tracking_number" INTEGER NOT NULL,
    "threats" JSONB NOT NULL,
    "area" TEXT,
    "instruction" TEXT,
    "geometry" JSONB,
    "geometry_basis" TEXT NOT NULL,
    "county_fips" TEXT[],
    "citation_url" TEXT NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "warnings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "warning_cells" (
    "warning_id" INTEGER NOT NULL,
    "cell" INTEGER NOT NULL,

    CONSTRAINT "warning_cells_pkey" PRIMARY KEY ("warning_id","cell")
);

-- CreateTable
CREATE TABLE "radar_frames" (
    "id" SERIAL NOT NULL,
    "source" TEXT NOT NULL,
    "product" TEXT NOT NULL,
    "valid_at" TIMESTAMPTZ(3) NOT NULL,
    "day" DATE NOT NULL,
    "cells" INTEGER NOT NULL,
    "peak_mm" DOUBLE PRECISION NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "radar_frames_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "radar_blocks" (
    "frame_id" INTEGER NOT NULL,
    "block" INTEGER NOT NULL,
    "cells" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "radar_blocks_pkey" PRIMARY KEY ("frame_id","block")
);

-- CreateTable
CREATE TABLE "tiles" (
    "z" INTEGER NOT NULL,
    "x" INTEGER NOT NULL,
    "y" INTEGER NOT NULL,
    "version" BIGINT NOT NULL,
    "etag" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tiles_pkey" PRIMARY KEY ("z","x","y")
);

-- CreateTable
CREATE TABLE "places" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,
    "search_key" TEXT NOT NULL,

    CONSTRAINT "places_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "geocode_answers" (
    "provider" TEXT NOT NULL,
    "query_key" TEXT NOT NULL,
    "answer" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "geocode_answers_pkey" PRIMARY KEY ("provider","query_key")
);

-- CreateTable
CREATE TABLE "address_points" (
    "id" SERIAL NOT NULL,
    "address_key" TEXT NOT NULL,
    "street" TEXT NOT NULL,
    "city" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "postal_code" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "address_points_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "properties" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "label" TEXT,
    "reference" TEXT,
    "kind" TEXT NOT NULL DEFAULT 'other',
    "status" TEXT NOT NULL DEFAULT 'watching',
    "query" TEXT NOT NULL,
    "query_key" TEXT NOT NULL,
    "address_key" TEXT,
    "street" TEXT,
    "city" TEXT,
    "state" TEXT,
    "postal_code" TEXT,
    "county" TEXT,
    "county_fips" TEXT,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "precision" TEXT,
    "located" BOOLEAN NOT NULL DEFAULT false,
    "watch_radius_miles" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "tags" TEXT[],
    "notes" TEXT,
    "last_activity_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "properties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "id" SERIAL NOT NULL,
    "team_id" UUID NOT NULL,
    "property_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'owner',
    "company" TEXT,
    "phone" TEXT,
    "email" TEXT,
    "notes" TEXT,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL DEFAULT 'reported',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "territories" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'watching',
    "colour" TEXT NOT NULL DEFAULT 'petrol',
    "notes" TEXT,
    "description" TEXT NOT NULL,
    "definition" JSONB NOT NULL,
    "geometry" TEXT NOT NULL,
    "area_sq_miles" DOUBLE PRECISION NOT NULL,
    "centre_latitude" DOUBLE PRECISION NOT NULL,
    "centre_longitude" DOUBLE PRECISION NOT NULL,
    "west" DOUBLE PRECISION NOT NULL,
    "south" DOUBLE PRECISION NOT NULL,
    "east" DOUBLE PRECISION NOT NULL,
    "north" DOUBLE PRECISION NOT NULL,
    "last_activity_on" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "territories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "watch_cells" (
    "subject_id" UUID NOT NULL,
    "cell" INTEGER NOT NULL,
    "team_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "latitude" DOUBLE PRECISION,
    "longitude" DOUBLE PRECISION,
    "radius_miles" DOUBLE PRECISION,

    CONSTRAINT "watch_cells_pkey" PRIMARY KEY ("subject_id","cell")
);

-- CreateTable
CREATE TABLE "exposures" (
    "id" SERIAL NOT NULL,
    "team_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "property_id" UUID,
    "territory_id" UUID,
    "warning_key" TEXT,
    "warning" JSONB,
    "headline" TEXT NOT NULL,
    "reports" INTEGER NOT NULL DEFAULT 0,
    "sources" INTEGER NOT NULL DEFAULT 0,
    "hail" INTEGER NOT NULL DEFAULT 0,
    "wind" INTEGER NOT NULL DEFAULT 0,
    "tornado" INTEGER NOT NULL DEFAULT 0,
    "other" INTEGER NOT NULL DEFAULT 0,
    "largest_measured_in" DOUBLE PRECISION,
    "largest_detected_in" DOUBLE PRECISION,
    "max_gust_mph" DOUBLE PRECISION,
    "nearest_miles" DOUBLE PRECISION,
    "observed" BOOLEAN NOT NULL DEFAULT false,
    "provisional" BOOLEAN NOT NULL DEFAULT false,
    "evidence" TEXT[],
    "record_ids" INTEGER[],
    "withdrawn" BOOLEAN NOT NULL DEFAULT false,
    "posted_band_in" DOUBLE PRECISION,
    "posted_tornado" BOOLEAN NOT NULL DEFAULT false,
    "sample" BOOLEAN NOT NULL DEFAULT false,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL,
    "notified_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "dismissed_at" TIMESTAMPTZ(3),
    "report_id" UUID,

    CONSTRAINT "exposures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lanes" (
    "lane" TEXT NOT NULL,
    "watermark" TIMESTAMPTZ(3),
    "lease_token" UUID,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "lanes_pkey" PRIMARY KEY ("lane")
);

-- CreateTable
CREATE TABLE "monitoring_runs" (
    "id" SERIAL NOT NULL,
    "lane" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'running',
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "watermark" TIMESTAMPTZ(3),
    "candidates" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "notified" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,

    CONSTRAINT "monitoring_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_states" (
    "url" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "etag" TEXT,
    "last_modified" TEXT,
    "watermark" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_states_pkey" PRIMARY KEY ("url")
);

-- CreateTable
CREATE TABLE "events" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "exposure_ids" INTEGER[],
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "integrations" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "url_encrypted" BYTEA NOT NULL,
    "secret_encrypted" BYTEA,
    "address_hint" TEXT NOT NULL,
    "events" TEXT[],
    "active" BOOLEAN NOT NULL DEFAULT true,
    "failure_streak" INTEGER NOT NULL DEFAULT 0,
    "last_sent_at" TIMESTAMPTZ(3),
    "last_failed_at" TIMESTAMPTZ(3),
    "last_failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "event_id" UUID,
    "event" TEXT NOT NULL,
    "integration_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "subject" TEXT NOT NULL,
    "address_hint" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "response_code" INTEGER,
    "failure_reason" TEXT,
    "exposure_ids" INTEGER[],
    "body" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_token" UUID,
    "leased_until" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "digests" (
    "team_id" UUID NOT NULL,
    "local_date" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "digests_pkey" PRIMARY KEY ("team_id","local_date")
);

-- CreateTable
CREATE TABLE "install_facts" (
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "install_facts_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "tokens_prefix_key" ON "tokens"("prefix");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_hash_key" ON "tokens"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "tokens_team_id_id_key" ON "tokens"("team_id", "id");

-- CreateIndex
CREATE INDEX "rate_hits_bucket_at_idx" ON "rate_hits"("bucket", "at");

-- CreateIndex
CREATE INDEX "credit_transactions_team_id_id_idx" ON "credit_transactions"("team_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "credit_transactions_team_id_sequence_key" ON "credit_transactions"("team_id", "sequence");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "reports_team_id_created_at_id_idx" ON "reports"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "reports_team_id_property_id_idx" ON "reports"("team_id", "property_id");

-- CreateIndex
CREATE INDEX "reports_fingerprint_idx" ON "reports"("fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "reports_team_id_id_key" ON "reports"("team_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "documents_team_id_report_id_key" ON "documents"("team_id", "report_id");

-- CreateIndex
CREATE UNIQUE INDEX "archive_records_source_source_key_key" ON "archive_records"("source", "source_key");

-- CreateIndex
CREATE INDEX "record_cells_cell_occurred_on_idx" ON "record_cells"("cell", "occurred_on");

-- CreateIndex
CREATE INDEX "import_runs_source_started_at_idx" ON "import_runs"("source", "started_at" DESC);

-- CreateIndex
CREATE INDEX "zone_counties_county_fips_idx" ON "zone_counties"("county_fips");

-- CreateIndex
CREATE INDEX "stations_cell_idx" ON "stations"("cell");

-- CreateIndex
CREATE UNIQUE INDEX "warnings_source_key_key" ON "warnings"("source_key");

-- CreateIndex
CREATE INDEX "warnings_issued_at_idx" ON "warnings"("issued_at");

-- CreateIndex
CREATE INDEX "warning_cells_cell_idx" ON "warning_cells"("cell");

-- CreateIndex
CREATE INDEX "radar_frames_day_idx" ON "radar_frames"("day");

-- CreateIndex
CREATE UNIQUE INDEX "radar_frames_source_product_valid_at_key" ON "radar_frames"("source", "product", "valid_at");

-- CreateIndex
CREATE INDEX "places_search_key_idx" ON "places"("search_key");

-- CreateIndex
CREATE UNIQUE INDEX "places_name_state_latitude_longitude_key" ON "places"("name", "state", "latitude", "longitude");

-- CreateIndex
CREATE UNIQUE INDEX "address_points_address_key_key" ON "address_points"("address_key");

-- CreateIndex
CREATE INDEX "properties_team_id_created_at_id_idx" ON "properties"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "properties_team_id_status_idx" ON "properties"("team_id", "status");

-- CreateIndex
CREATE INDEX "properties_tags" ON "properties" USING GIN ("tags");

-- CreateIndex
CREATE UNIQUE INDEX "properties_team_id_id_key" ON "properties"("team_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "properties_team_id_address_key_key" ON "properties"("team_id", "address_key");

-- CreateIndex
CREATE INDEX "contacts_team_id_property_id_idx" ON "contacts"("team_id", "property_id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_team_id_id_key" ON "contacts"("team_id", "id");

-- CreateIndex
CREATE INDEX "territories_team_id_created_at_id_idx" ON "territories"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "territories_team_id_id_key" ON "territories"("team_id", "id");

-- CreateIndex
CREATE INDEX "watch_cells_cell_idx" ON "watch_cells"("cell");

-- CreateIndex
CREATE INDEX "exposures_team_id_date_id_idx" ON "exposures"("team_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "exposures_team_id_last_seen_at_idx" ON "exposures"("team_id", "last_seen_at");

-- CreateIndex
CREATE INDEX "exposures_team_id_property_id_date_idx" ON "exposures"("team_id", "property_id", "date");

-- CreateIndex
CREATE INDEX "exposures_team_id_territory_id_date_idx" ON "exposures"("team_id", "territory_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "exposures_team_id_id_key" ON "exposures"("team_id", "id");

-- CreateIndex
CREATE INDEX "monitoring_runs_lane_started_at_idx" ON "monitoring_runs"("lane", "started_at" DESC);

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_team_id_id_key" ON "events"("team_id", "id");

-- CreateIndex
CREATE INDEX "integrations_team_id_created_at_id_idx" ON "integrations"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "integrations_team_id_id_key" ON "integrations"("team_id", "id");

-- CreateIndex
CREATE INDEX "deliveries_team_id_created_at_id_idx" ON "deliveries"("team_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_team_id_integration_id_created_at_id_idx" ON "deliveries"("team_id", "integration_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_event_id_integration_id_key" ON "deliveries"("event_id", "integration_id");

-- AddForeignKey
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "credit_transactions" ADD CONSTRAINT "credit_transactions_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "reports" ADD CONSTRAINT "reports_team_id_property_id_fkey" FOREIGN KEY ("team_id", "property_id") REFERENCES "properties"("team_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "findings" ADD CONSTRAINT "findings_team_id_report_id_fkey" FOREIGN KEY ("team_id", "report_id") REFERENCES "reports"("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "report_records" ADD CONSTRAINT "report_records_team_id_report_id_fkey" FOREIGN KEY ("team_id", "report_id") REFERENCES "reports"("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_team_id_report_id_fkey" FOREIGN KEY ("team_id", "report_id") REFERENCES "reports"("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "record_cells" ADD CONSTRAINT "record_cells_record_id_fkey" FOREIGN KEY ("record_id") REFERENCES "archive_records"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "observations" ADD CONSTRAINT "observations_station_id_fkey" FOREIGN KEY ("station_id") REFERENCES "stations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "warning_cells" ADD CONSTRAINT "warning_cells_warning_id_fkey" FOREIGN KEY ("warning_id") REFERENCES "warnings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "radar_blocks" ADD CONSTRAINT "radar_blocks_frame_id_fkey" FOREIGN KEY ("frame_id") REFERENCES "radar_frames"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "properties" ADD CONSTRAINT "properties_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_team_id_property_id_fkey" FOREIGN KEY ("team_id", "property_id") REFERENCES "properties"("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "territories" ADD CONSTRAINT "territories_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exposures" ADD CONSTRAINT "exposures_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "exposures" ADD CONSTRAINT "exposures_team_id_property_id_fkey" FOREIGN KEY ("team_id", "property_id") REFERENCES "properties"("team_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "exposures" ADD CONSTRAINT "exposures_team_id_territory_id_fkey" FOREIGN KEY ("team_id", "territory_id") REFERENCES "territories"("team_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "integrations" ADD CONSTRAINT "integrations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

