-- A fourth wall around a team's rows: a connection sees those of the team that its transaction names, all of them where the transaction
-- says that it does the service's own work, and without either none.

-- Tables owned by a team: those with a column team_id, and the teams themselves.
CREATE FUNCTION team_tables(OUT name regclass, OUT team_column text, OUT walled boolean, OUT forced boolean) RETURNS SETOF record LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass, a.attname::text, c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'team_rows'), c.relforcerowsecurity
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
     AND a.attname = CASE WHEN c.relname = 'teams' THEN 'id' ELSE 'team_id' END
$$;

-- Puts the wall around a table, for its owner too where the other tables' owner is held to it. Both settings are read once a
-- statement, not once a row.
CREATE FUNCTION wall_team_rows(which regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  team_column text := (SELECT t.team_column FROM team_tables() t WHERE t.name = which);
BEGIN
  EXECUTE format('DROP POLICY IF EXISTS team_rows ON %s', which);
  EXECUTE format($policy$CREATE POLICY team_rows ON %s USING (
    %I = (SELECT nullif(current_setting('app.team_id', true), '')::uuid) OR (SELECT current_setting('app.scope', true) = 'system'))$policy$, which, team_column);
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', which);
  IF EXISTS (SELECT FROM team_tables() WHERE forced) THEN PERFORM force_team_rows(which, true); END IF;
END $$;

-- Holds the owner of a table to its wall, or lets it out again. Processes of the version before are connected as the owner and name no
-- team: they would find nothing.
CREATE FUNCTION force_team_rows(which regclass, forced boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s %s ROW LEVEL SECURITY', which, CASE WHEN forced THEN 'FORCE' ELSE 'NO FORCE' END);
END $$;

-- A view reads with the rights of whoever asks, not with those of its owner.
CREATE FUNCTION wall_views() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT c.oid FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v'
                AND NOT 'security_invoker=true' = ANY (coalesce(c.reloptions, '{}'))
  LOOP
    EXECUTE format('ALTER VIEW %s SET (security_invoker = true)', one);
  END LOOP;
END $$;

-- Where nobody serves yet, at once. Elsewhere each table waits for its own moment, since all of them together would wait in
-- whatever order those who serve have taken them: `--migrate` does it next.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM teams) THEN
    PERFORM wall_team_rows(name), force_team_rows(name, true) FROM team_tables();
    PERFORM wall_views();
  END IF;
END $$;
