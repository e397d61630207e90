ALTER TABLE "reports" ADD COLUMN     "failure_message" TEXT,
ADD COLUMN     "sent_latitude" DOUBLE PRECISION,
ADD COLUMN     "sent_longitude" DOUBLE PRECISION;

ALTER TABLE "properties" ADD COLUMN     "failure_message" TEXT,
ADD COLUMN     "failure_reason" TEXT,
ADD COLUMN     "sent_latitude" DOUBLE PRECISION,
ADD COLUMN     "sent_longitude" DOUBLE PRECISION;

ALTER TABLE "geocode_answers" ADD COLUMN     "rules" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "reports" ADD CONSTRAINT "reports_sent_point" CHECK (("sent_latitude" IS NULL) = ("sent_longitude" IS NULL));
ALTER TABLE "properties" ADD CONSTRAINT "properties_sent_point" CHECK (("sent_latitude" IS NULL) = ("sent_longitude" IS NULL));
