-- How many hours each station reported in each month (UTC): a report over five years counts a few hundred rows of these instead of some hundred
-- thousand observations. Kept by the database itself, so that processes of the version before keep it too, and by the
-- right of the tables' owner, so that nobody else writes it. Imports wait until this is done.
LOCK TABLE "stations", "observations" IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE "observation_months" (
  "station_id" TEXT NOT NULL,
  "month" DATE NOT NULL,
  "hours" INTEGER NOT NULL,

  CONSTRAINT "observation_months_pkey" PRIMARY KEY ("station_id", "month")
);
ALTER TABLE "observation_months" ADD CONSTRAINT "observation_months_station_id_fkey" FOREIGN KEY ("station_id") REFERENCES "stations" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION count_observations() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO observation_months AS m (station_id, month, hours)
    SELECT station_id, date_trunc('month', observed_at AT TIME ZONE 'UTC')::date, count(*) FROM changed GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (station_id, month) DO UPDATE SET hours = m.hours + excluded.hours;
  ELSE
    UPDATE observation_months m SET hours = m.hours - gone.hours
      FROM (SELECT station_id, date_trunc('month', observed_at AT TIME ZONE 'UTC')::date AS month, count(*) AS hours FROM changed GROUP BY 1, 2) AS gone
     WHERE (m.station_id, m.month) = (gone.station_id, gone.month);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER observations_counted AFTER INSERT ON observations REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_observations();
CREATE TRIGGER observations_uncounted AFTER DELETE ON observations REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_observations();

INSERT INTO observation_months (station_id, month, hours)
SELECT station_id, date_trunc('month', observed_at AT TIME ZONE 'UTC')::date, count(*) FROM observations GROUP BY 1, 2;

-- Severe gusts are the only hours that a report reads one by one: one of some ten thousand.
CREATE INDEX observations_severe_gusts ON observations (station_id, observed_at) WHERE wind_gust_mph >= 58;

-- A year that is dropped takes its months with it.
CREATE OR REPLACE FUNCTION drop_observation_years(before integer) RETURNS SETOF integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  dropped integer;
BEGIN
  FOR dropped IN SELECT h.year FROM observation_years h WHERE h.year < before ORDER BY h.year LOOP
    EXECUTE format('DROP TABLE partitions.%I', 'observations_' || dropped);
    EXECUTE format('DROP TABLE partitions.%I', 'observation_versions_' || dropped);
    RETURN NEXT dropped;
  END LOOP;
  DELETE FROM observation_months WHERE month < make_date(before, 1, 1);
END $$;
