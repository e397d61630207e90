-- Search cells of warnings that came, went or changed since the maps were last brought up to date: their drawn tiles are drawn again.
CREATE TABLE "map_warning_changes" (
    "id" BIGSERIAL NOT NULL,
    "cells" INTEGER[],

    CONSTRAINT "map_warning_changes_pkey" PRIMARY KEY ("id")
);

-- What has no polygon is not drawn.
CREATE FUNCTION note_added_warning_cells() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_warning_changes (cells)
  SELECT array_agg(DISTINCT c.cell) FROM changed c JOIN warnings w ON w.id = c.warning_id WHERE w.geometry_basis = 'storm' HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_added_warning_cells AFTER INSERT ON warning_cells REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_added_warning_cells();

CREATE FUNCTION note_removed_warning_cells() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_warning_changes (cells) SELECT array_agg(DISTINCT cell) FROM changed HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_removed_warning_cells AFTER DELETE ON warning_cells REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_removed_warning_cells();

-- A message may change times and tags of a warning and none of its cells; without its last polygon it leaves the tiles.
CREATE FUNCTION note_changed_warnings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_warning_changes (cells)
  SELECT array_agg(DISTINCT c.cell)
    FROM changed w JOIN former f ON f.id = w.id JOIN warning_cells c ON c.warning_id = w.id
   WHERE 'storm' IN (w.geometry_basis, f.geometry_basis) HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_warnings AFTER UPDATE ON warnings REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_changed_warnings();

-- What is held already is new to the maps.
INSERT INTO map_warning_changes (cells)
SELECT array_agg(DISTINCT c.cell) FROM warning_cells c JOIN warnings w ON w.id = c.warning_id WHERE w.geometry_basis = 'storm' HAVING count(*) > 0;
