-- What detection has yet to look at, whatever becomes of the queue that carries it.
CREATE TABLE "detections" (
    "id" BIGSERIAL NOT NULL,
    "job" TEXT NOT NULL,
    "task" JSONB NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "detections_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "detections_issued_at_idx" ON "detections"("issued_at");
