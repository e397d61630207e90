-- Whoever works in the inviting team, and the invited person wherever they work, hear when an invitation is sent or ends. The person is found
-- in the scope of the service, because a team sees only its own people: a notice holds nothing but their id.
CREATE FUNCTION announce_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  scope text := coalesce(current_setting('app.scope', true), '');
BEGIN
  PERFORM pg_notify('changes', format('team %s memberships', team_id)) FROM (SELECT DISTINCT team_id FROM touched) teams;
  PERFORM set_config('app.scope', 'system', true);
  PERFORM pg_notify('changes', format('person %s memberships', id)) FROM (
    SELECT p.id FROM people p JOIN touched USING (email)
     UNION
    SELECT s.person_id FROM sessions s JOIN touched ON touched.email = s.company_email) people;
  PERFORM set_config('app.scope', scope, true);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_inserted AFTER INSERT ON invitations REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_invitations();
CREATE TRIGGER announce_deleted AFTER DELETE ON invitations REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_invitations();
