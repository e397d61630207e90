-- What each tile of zoom 0 to 9 shows of the archive's records.
CREATE TABLE "tile_lists" (
    "z" INTEGER NOT NULL,
    "x" INTEGER NOT NULL,
    "y" INTEGER NOT NULL,
    "points" BYTEA NOT NULL,
    "paths" BYTEA NOT NULL,

    CONSTRAINT "tile_lists_pkey" PRIMARY KEY ("z","x","y")
);

-- The largest hail that radar estimated in each grid cell of a local day.
CREATE TABLE "radar_days" (
    "block" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "radar_days_pkey" PRIMARY KEY ("block","day")
);

-- CreateIndex
CREATE INDEX "radar_days_day_idx" ON "radar_days"("day");

-- What changed since the maps were last brought up to date: written by triggers, so that no way into the archive is forgotten.
CREATE TABLE "map_changes" (
    "id" BIGSERIAL NOT NULL,
    "cells" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "frames" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "days" DATE[] DEFAULT ARRAY[]::DATE[],

    CONSTRAINT "map_changes_pkey" PRIMARY KEY ("id")
);

CREATE FUNCTION note_changed_cells() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_changes (cells) SELECT array_agg(DISTINCT cell) FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_added_cells AFTER INSERT ON record_cells REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_cells();
CREATE TRIGGER note_updated_cells AFTER UPDATE ON record_cells REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_cells();
CREATE TRIGGER note_removed_cells AFTER DELETE ON record_cells REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_cells();

CREATE FUNCTION note_added_frames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_changes (frames) SELECT array_agg(id) FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_added_frames AFTER INSERT ON radar_frames REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_added_frames();

CREATE FUNCTION note_removed_frames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_changes (days) SELECT array_agg(DISTINCT day) FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_removed_frames AFTER DELETE ON radar_frames REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_removed_frames();

-- What is held already is new to the maps.
INSERT INTO map_changes (cells) SELECT array_agg(DISTINCT cell) FROM record_cells HAVING count(*) > 0;
INSERT INTO map_changes (frames) SELECT array_agg(id) FROM radar_frames HAVING count(*) > 0;
