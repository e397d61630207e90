-- Accounts at the install's OpenID Connect provider by which people sign in, and sign-ins that are under way there.
CREATE TABLE "identities" (
  "id" UUID NOT NULL,
  "person_id" UUID NOT NULL,
  "issuer" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "used_at" TIMESTAMPTZ(3),
  CONSTRAINT "identities_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "identities_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "identities_issuer_subject_key" ON "identities" ("issuer", "subject");
CREATE UNIQUE INDEX "identities_person_id_issuer_key" ON "identities" ("person_id", "issuer");

CREATE TABLE "company_sign_ins" (
  "hash" TEXT NOT NULL,
  "state" TEXT NOT NULL,
  "nonce" TEXT NOT NULL,
  "code_verifier" TEXT NOT NULL,
  "return_to" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "company_sign_ins_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "company_sign_ins_expires_at_idx" ON "company_sign_ins" ("expires_at");

-- No team's, and no team's request sees them: only a transaction that says that it does the service's own work.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['identities', 'company_sign_ins'] LOOP
    EXECUTE format('CREATE POLICY service_rows ON %I USING ((SELECT current_setting(''app.scope'', true) = ''system''))', one);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
  END LOOP;
END $$;
