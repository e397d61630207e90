-- Whoever looks at a team's properties and territories, or at the storm days over them, hears when some of them changed.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['properties', 'territories'] LOOP
    EXECUTE format('CREATE TRIGGER announce_inserted AFTER INSERT ON %I REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
    EXECUTE format('CREATE TRIGGER announce_updated AFTER UPDATE ON %I REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
    EXECUTE format('CREATE TRIGGER announce_deleted AFTER DELETE ON %I REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_team_changes(%L)', one, one);
  END LOOP;
END $$;
