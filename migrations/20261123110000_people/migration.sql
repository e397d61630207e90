-- People who sign in: who they are, which teams they belong to and as what, how they came in, and what they hold open.
CREATE TABLE "people" (
  "id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "name" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "signed_in_at" TIMESTAMPTZ(3),
  CONSTRAINT "people_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "people_email" CHECK ("email" = lower("email"))
);
CREATE UNIQUE INDEX "people_email_key" ON "people" ("email");

CREATE TABLE "memberships" (
  "team_id" UUID NOT NULL,
  "person_id" UUID NOT NULL,
  "role" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "memberships_pkey" PRIMARY KEY ("team_id", "person_id"),
  CONSTRAINT "memberships_role" CHECK ("role" IN ('owner', 'analyst', 'viewer')),
  CONSTRAINT "memberships_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "memberships_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "memberships_person_id_idx" ON "memberships" ("person_id");

CREATE TABLE "invitations" (
  "id" UUID NOT NULL,
  "team_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "role" TEXT NOT NULL,
  "invited_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "invitations_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "invitations_email" CHECK ("email" = lower("email")),
  CONSTRAINT "invitations_role" CHECK ("role" IN ('owner', 'analyst', 'viewer')),
  CONSTRAINT "invitations_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "invitations_team_id_email_key" ON "invitations" ("team_id", "email");

-- A link is asked for before anybody knows whether somebody has the address: its hash comes when it is written out.
CREATE TABLE "sign_in_links" (
  "id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "invitation_id" UUID,
  "hash" TEXT,
  "return_to" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "spent_at" TIMESTAMPTZ(3),
  CONSTRAINT "sign_in_links_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "sign_in_links_hash_key" ON "sign_in_links" ("hash");
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links" ("expires_at");

CREATE TABLE "sessions" (
  "id" UUID NOT NULL,
  "hash" TEXT NOT NULL,
  "person_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "network" TEXT,
  "browser" TEXT,
  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sessions_hash_key" ON "sessions" ("hash");
CREATE INDEX "sessions_person_id_idx" ON "sessions" ("person_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");

SELECT wall_team_rows('memberships'), wall_team_rows('invitations');

-- No team's, and no team's request sees them: only a transaction that says that it does the service's own work.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['people', 'sign_in_links', 'sessions'] LOOP
    EXECUTE format('CREATE POLICY service_rows ON %I USING ((SELECT current_setting(''app.scope'', true) = ''system''))', one);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
  END LOOP;
END $$;

-- A team sees the people who are in it, and writes the links of its own invitations, which it never reads.
CREATE POLICY colleagues ON "people" FOR SELECT USING (EXISTS (SELECT FROM memberships m WHERE m.person_id = people.id));
CREATE POLICY invited ON "sign_in_links" FOR INSERT
  WITH CHECK (EXISTS (SELECT FROM invitations i WHERE i.id = sign_in_links.invitation_id AND i.email = sign_in_links.email));

-- A team that has people keeps an owner. Two owners who leave at once wait for one another here.
CREATE FUNCTION keep_an_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.role <> 'owner' OR (TG_OP = 'UPDATE' AND NEW.role = 'owner') THEN RETURN NULL; END IF;
  -- Where the team itself goes, its people go with it.
  PERFORM FROM teams WHERE id = OLD.team_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NOT EXISTS (SELECT FROM memberships WHERE team_id = OLD.team_id AND role = 'owner') THEN
    RAISE EXCEPTION 'last_owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'memberships_last_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_an_owner AFTER UPDATE OF role OR DELETE ON "memberships" FOR EACH ROW EXECUTE FUNCTION keep_an_owner();
