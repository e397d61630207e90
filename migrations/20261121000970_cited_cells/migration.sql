-- Maps show radar by its frames, never by the cells that a report or an exposure made records of: those tell where
-- somebody looked. They touch no tile. A statement adds cells of the grid or records of files, so that its first row tells
-- whether each has to be looked at; one that removes cells finds no record left, and touches the tiles for nothing.
CREATE OR REPLACE FUNCTION note_changed_cells() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM archive_records r WHERE r.id = (SELECT record_id FROM changed LIMIT 1) AND r.precision = 'grid') THEN
    INSERT INTO map_changes (cells)
    SELECT array_agg(DISTINCT c.cell) FROM changed c
     WHERE NOT EXISTS (SELECT FROM archive_records r WHERE r.id = c.record_id AND r.precision = 'grid') HAVING count(*) > 0;
  ELSE
    INSERT INTO map_changes (cells) SELECT array_agg(DISTINCT cell) FROM changed HAVING count(*) > 0;
  END IF;
  RETURN NULL;
END $$;

-- Tiles that show such cells now are made anew.
INSERT INTO map_changes (cells)
SELECT array_agg(DISTINCT c.cell) FROM archive_records r JOIN record_cells c ON c.record_id = r.id WHERE r.precision = 'grid' HAVING count(*) > 0;
