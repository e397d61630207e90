-- The agencies' files, each time that one was fetched, and where in them each row stands: which bytes, of what they unpack to.
-- Rows name their file without a foreign key: a year of records would be checked one by one, and a file in use is never removed alone.
CREATE TABLE "archive_files" (
  "id" SERIAL NOT NULL,
  "source" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "sha256" TEXT,
  "bytes" BIGINT,
  "unpacked_sha256" TEXT,
  "unpacked_bytes" BIGINT,
  "compiled_on" DATE,
  "fetched_from" TEXT,
  "fetched_by" TEXT NOT NULL,
  "fetched_at" TIMESTAMPTZ(3) NOT NULL,
  "used" BOOLEAN NOT NULL DEFAULT false,
  "stored" BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "archive_files_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "archive_files_read_whole" CHECK (num_nulls("sha256", "bytes", "unpacked_sha256", "unpacked_bytes") IN (0, 4)),
  CONSTRAINT "archive_files_hex" CHECK ("sha256" ~ '^[0-9a-f]{64}$' AND "unpacked_sha256" ~ '^[0-9a-f]{64}$')
);

CREATE INDEX "archive_files_sha256_idx" ON "archive_files"("sha256");
CREATE INDEX "archive_files_source_idx" ON "archive_files"("source");

ALTER TABLE "import_runs" ADD COLUMN "file_id" INTEGER;
ALTER TABLE "archive_records" ADD COLUMN "file_id" INTEGER, ADD COLUMN "span_start" BIGINT, ADD COLUMN "span_length" INTEGER;
ALTER TABLE "warning_messages" ADD COLUMN "file_id" INTEGER, ADD COLUMN "span_start" BIGINT, ADD COLUMN "span_length" INTEGER;
ALTER TABLE "observations" ADD COLUMN "file_id" INTEGER, ADD COLUMN "span_start" BIGINT, ADD COLUMN "span_length" INTEGER;
ALTER TABLE "radar_frames" ADD COLUMN "file_id" INTEGER;
ALTER TABLE "report_records"
  ADD COLUMN "file_sha256" TEXT,
  ADD COLUMN "file_name" TEXT,
  ADD COLUMN "span_start" BIGINT,
  ADD COLUMN "span_length" INTEGER;

-- Who asks for a row of a file is shown it where a report of their team cites it.
CREATE INDEX "report_records_with_file" ON "report_records"("team_id", "record_id") WHERE "file_sha256" IS NOT NULL;
