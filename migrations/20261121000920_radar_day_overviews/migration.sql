-- The largest hail of a local day in groups of 16 x 16 grid cells: what a view of the whole country draws of it.
CREATE TABLE "radar_day_overviews" (
    "day" DATE NOT NULL,
    "source" TEXT NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "radar_day_overviews_pkey" PRIMARY KEY ("day","source")
);

-- The days that are held already get theirs with the next refreshing of the maps.
INSERT INTO map_changes (frames) SELECT array_agg(id) FROM radar_frames HAVING count(*) > 0;
