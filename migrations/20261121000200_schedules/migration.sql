-- CreateTable
CREATE TABLE "schedules" (
    "job" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("job")
);
