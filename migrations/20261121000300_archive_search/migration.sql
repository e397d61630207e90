-- A row of a search-page export is replaced by a details row, never the other way.
ALTER TABLE "archive_records" ADD COLUMN "extract" BOOLEAN NOT NULL DEFAULT false;

-- A search is answered from the index alone: on 2 million records that halves its time.
DROP INDEX "record_cells_cell_occurred_on_idx";
CREATE INDEX "record_cells_cell_occurred_on_record_id_latitude_longitude_idx" ON "record_cells"("cell", "occurred_on", "record_id", "latitude", "longitude");

-- Records that go on into a later day, for windows that begin while they last.
ALTER TABLE "record_cells" ADD COLUMN "ends_on" DATE;
CREATE INDEX "record_cells_running" ON "record_cells"("cell", "ends_on") WHERE "ends_on" IS NOT NULL;

-- Corners belong to a source's record, so that the made-up sample has its own.
DROP TABLE "event_locations";
CREATE TABLE "record_corners" (
    "source" TEXT NOT NULL,
    "source_key" TEXT NOT NULL,
    "location_index" INTEGER NOT NULL,
    "latitude" DOUBLE PRECISION NOT NULL,
    "longitude" DOUBLE PRECISION NOT NULL,
    "compiled_on" DATE,

    CONSTRAINT "record_corners_pkey" PRIMARY KEY ("source", "source_key", "location_index")
);
