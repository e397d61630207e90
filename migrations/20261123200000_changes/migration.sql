-- Whoever looks at a team's exposures or reports hears at each commit that some of them changed: of which team and of what, never which.
-- Equal notices of one transaction are one.
CREATE FUNCTION announce_team_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changes', format('team %s %s', team_id, TG_ARGV[0])) FROM (SELECT DISTINCT team_id FROM touched) teams;
  RETURN NULL;
END $$;

DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['exposures', 'reports', 'memberships'] LOOP
    EXECUTE format('CREATE TRIGGER announce_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
    EXECUTE format('CREATE TRIGGER announce_updated AFTER UPDATE ON %I REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
    EXECUTE format('CREATE TRIGGER announce_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
  END LOOP;
END $$;

-- A session that ended ends what is open in it.
CREATE FUNCTION announce_ended_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('changes', format('person %s', person_id)) FROM (SELECT DISTINCT person_id FROM touched) people;
  RETURN NULL;
END $$;
CREATE TRIGGER announce_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_ended_sessions();
