-- Keys that people sign in with instead of a link, and the challenges that are open for them.
CREATE TABLE "passkeys" (
  "id" UUID NOT NULL,
  "person_id" UUID NOT NULL,
  "credential_id" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "counter" BIGINT NOT NULL,
  "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "backed_up" BOOLEAN NOT NULL,
  "handed_over" BOOLEAN NOT NULL,
  "name" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "passkeys_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys" ("credential_id");
CREATE INDEX "passkeys_person_id_idx" ON "passkeys" ("person_id");

CREATE TABLE "passkey_challenges" (
  "hash" TEXT NOT NULL,
  "challenge" TEXT NOT NULL,
  "person_id" UUID,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY ("hash"),
  CONSTRAINT "passkey_challenges_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "passkey_challenges_expires_at_idx" ON "passkey_challenges" ("expires_at");

-- Whether somebody else passed on the link that a session began with. Of those that are open it is not known.
ALTER TABLE "sessions" ADD COLUMN "handed_over" BOOLEAN NOT NULL DEFAULT true;

-- No team's, and no team's request sees them: only a transaction that says that it does the service's own work.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['passkeys', 'passkey_challenges'] LOOP
    EXECUTE format('CREATE POLICY service_rows ON %I USING ((SELECT current_setting(''app.scope'', true) = ''system''))', one);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
  END LOOP;
END $$;
