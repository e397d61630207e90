-- Maps show a preliminary record until the final record of its state covers its month, and again where that is forgotten:
-- whatever moves the last month held moves what the tiles show between the old one and the new.
CREATE FUNCTION note_moved_horizon() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO map_changes (cells)
  SELECT array_agg(DISTINCT c.cell)
    FROM (SELECT state, array_agg(month) AS months, max(month) AS last FROM changed WHERE source = 'noaa_storm_events' GROUP BY state) moved
   CROSS JOIN LATERAL (
          SELECT max(h.month) AS last FROM coverage h
           WHERE h.source = 'noaa_storm_events' AND h.state = moved.state AND h.month <> ALL (moved.months)) others
    JOIN archive_records r ON r.state = moved.state AND r.preliminary AND r.withdrawn_at IS NULL
     AND r.occurred_on < moved.last + interval '1 month' AND r.occurred_on >= coalesce(others.last + interval '1 month', '-infinity')
    JOIN record_cells c ON c.record_id = r.id
  HAVING count(*) > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER note_held_months AFTER INSERT ON coverage REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_moved_horizon();
CREATE TRIGGER note_forgotten_months AFTER DELETE ON coverage REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_moved_horizon();

-- Tiles that show superseded records now are made anew.
INSERT INTO map_changes (cells)
SELECT array_agg(DISTINCT c.cell) FROM archive_records r JOIN record_cells c ON c.record_id = r.id
 WHERE r.preliminary AND r.withdrawn_at IS NULL AND r.occurred_on < (
   SELECT max(h.month) + interval '1 month' FROM coverage h WHERE h.source = 'noaa_storm_events' AND h.state = r.state)
HAVING count(*) > 0;
