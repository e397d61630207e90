-- What is doubted of a record, in sentences. Null in the archive: read before plausibility was judged; its file must be imported again.
ALTER TABLE "archive_records" ADD COLUMN "caveats" TEXT[];
ALTER TABLE "report_records" ADD COLUMN "caveats" TEXT[] DEFAULT ARRAY[]::TEXT[];
