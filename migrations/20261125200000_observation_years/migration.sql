-- Observations, and what they said before, by the calendar year (UTC) in which they were made: a year is dropped with its partition, and a
-- window of days reads its own years. Imports wait until this is done; whoever reads goes on, but for the moment in which the names change.
LOCK TABLE "stations", "observations", "observation_versions" IN SHARE ROW EXCLUSIVE MODE;

-- Away from the tables that are named: nobody reads a partition but through its table, whose rights are the ones that count.
CREATE SCHEMA partitions;

CREATE TABLE observations_by_year (LIKE observations INCLUDING DEFAULTS) PARTITION BY RANGE (observed_at);
CREATE TABLE observation_versions_by_year (LIKE observation_versions INCLUDING DEFAULTS) PARTITION BY RANGE (observed_at);

-- Each year that has rows, and those of which a process of the version before may bring some meanwhile.
DO $$
DECLARE
  kept text;
  year integer;
BEGIN
  FOREACH kept IN ARRAY ARRAY['observations', 'observation_versions'] LOOP
    FOR year IN
      SELECT extract(year FROM observed_at AT TIME ZONE 'UTC')::int FROM observations
       UNION SELECT extract(year FROM observed_at AT TIME ZONE 'UTC')::int FROM observation_versions
       UNION SELECT generate_series(extract(year FROM now() AT TIME ZONE 'UTC')::int - 1, extract(year FROM now() AT TIME ZONE 'UTC')::int + 1)
    LOOP
      EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', kept || '_' || year, kept || '_by_year',
        make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC'), make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC'));
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', kept || '_by_year', kept);
  END LOOP;
END $$;

-- Whoever may do something with the tables may do it still.
DO $$
DECLARE
  granted record;
BEGIN
  FOR granted IN
    SELECT c.relname AS name, pg_get_userbyid(a.grantee) AS grantee, a.privilege_type AS privilege
      FROM pg_class c, aclexplode(c.relacl) a
     WHERE c.oid IN ('observations'::regclass, 'observation_versions'::regclass) AND a.grantee NOT IN (0, c.relowner)
  LOOP
    EXECUTE format('GRANT %s ON %I TO %I', granted.privilege, granted.name || '_by_year', granted.grantee);
  END LOOP;
END $$;

-- All that takes time comes before the names change.
ALTER TABLE observations_by_year ADD PRIMARY KEY (station_id, observed_at);
ALTER TABLE observations_by_year ADD CONSTRAINT observations_station_id_fkey FOREIGN KEY (station_id) REFERENCES stations (id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE observation_versions_by_year ADD PRIMARY KEY (station_id, observed_at, until_revision);

DROP TABLE observations, observation_versions;
ALTER TABLE observations_by_year RENAME TO observations;
ALTER TABLE observations RENAME CONSTRAINT observations_by_year_pkey TO observations_pkey;
ALTER TABLE observation_versions_by_year RENAME TO observation_versions;
ALTER TABLE observation_versions RENAME CONSTRAINT observation_versions_by_year_pkey TO observation_versions_pkey;

-- Makes the partitions of a year where they are not there, within the transaction that first brings something of it: nobody who reads waits.
CREATE FUNCTION add_observation_year(year integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kept text;
  part text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['observations', 'observation_versions'] LOOP
    part := kept || '_' || year;
    CONTINUE WHEN to_regclass(format('partitions.%I', part)) IS NOT NULL;
    -- CREATE TABLE ... PARTITION OF would lock the table against its readers.
    EXECUTE format('CREATE TABLE partitions.%I (LIKE %I INCLUDING DEFAULTS)', part, kept);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', kept, part,
      make_timestamptz(year, 1, 1, 0, 0, 0, 'UTC'), make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC'));
  END LOOP;
END $$;

-- Drops the years before one, with what they said before they were changed, and answers which. Where a reader does not let go of the
-- tables in time it fails, and nothing is dropped.
CREATE FUNCTION drop_observation_years(before integer) RETURNS SETOF integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  dropped integer;
BEGIN
  FOR dropped IN SELECT h.year FROM observation_years h WHERE h.year < before ORDER BY h.year LOOP
    EXECUTE format('DROP TABLE partitions.%I', 'observations_' || dropped);
    EXECUTE format('DROP TABLE partitions.%I', 'observation_versions_' || dropped);
    RETURN NEXT dropped;
  END LOOP;
END $$;

-- The years that have partitions.
CREATE VIEW observation_years WITH (security_invoker = true) AS
  SELECT substr(c.relname, length('observations_') + 1)::int AS year
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'observations'::regclass;

-- Only the role that serves, which `migrate` names.
REVOKE EXECUTE ON FUNCTION add_observation_year(integer), drop_observation_years(integer) FROM PUBLIC;
