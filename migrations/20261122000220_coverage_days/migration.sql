-- Radar, warnings and observations are held by the day. Their rows of months stay for processes of the version before; nothing else
-- reads them.
CREATE TABLE "coverage_days" (
    "source" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "moments" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "coverage_days_pkey" PRIMARY KEY ("source","state","day")
);

-- Where radar reaches, which county a station stands in and which date it is there takes more than SQL: a worker counts the days of
-- what is held.
INSERT INTO lasting_jobs (job, task, due_at) SELECT 'coverage.recount', '{}', now()
 WHERE EXISTS (SELECT FROM radar_frames) OR EXISTS (SELECT FROM coverage WHERE source IN ('nexrad_hail', 'nws_warnings', 'asos'));
