-- The date that a report answers for first, its answer, and the days of the window beside it; null in reports without one.
ALTER TABLE "reports" ADD COLUMN "date_of_loss" DATE, ADD COLUMN "day_of_loss" JSONB, ADD COLUMN "days" JSONB;
