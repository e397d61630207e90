-- The secret keys that each process holds, first the one that seals, by their ids alone: each process says so while it runs.
CREATE TABLE "secret_key_rings" (
  "process_id" UUID NOT NULL,
  "key_ids" TEXT[],
  "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "ended_at" TIMESTAMPTZ(3),
  CONSTRAINT "secret_key_rings_pkey" PRIMARY KEY ("process_id")
);
