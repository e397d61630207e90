-- What was said before leads to its file and its bytes there, as what is said now does.
ALTER TABLE "warning_message_versions" ADD COLUMN "file_id" INTEGER, ADD COLUMN "span_start" BIGINT, ADD COLUMN "span_length" INTEGER;
ALTER TABLE "observation_versions" ADD COLUMN "file_id" INTEGER, ADD COLUMN "span_start" BIGINT, ADD COLUMN "span_length" INTEGER;
