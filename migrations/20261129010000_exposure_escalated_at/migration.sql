-- When a storm day was last announced as grown: a digest also contains those. Null for days that grew before this column.
ALTER TABLE "exposures" ADD COLUMN "escalated_at" TIMESTAMPTZ(3);
