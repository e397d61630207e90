-- Keys of the operator beside that of the setting. Of a key its SHA-256 alone is kept. A name is given once, so that what was done
-- by a key is never mistaken for another's.
CREATE TABLE "operator_keys" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "roles" TEXT[],
  "expires_at" TIMESTAMPTZ(3),
  "last_used_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "operator_keys_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "operator_keys_roles" CHECK (cardinality("roles") > 0 AND "roles" <@ ARRAY['read', 'archive', 'billing', 'all'])
);
CREATE UNIQUE INDEX "operator_keys_name_key" ON "operator_keys" ("name");
CREATE UNIQUE INDEX "operator_keys_prefix_key" ON "operator_keys" ("prefix");
CREATE UNIQUE INDEX "operator_keys_hash_key" ON "operator_keys" ("hash");

-- No team's, and no team's request sees them: only a transaction that says that it does the service's own work.
CREATE POLICY service_rows ON "operator_keys" USING ((SELECT current_setting('app.scope', true) = 'system'));
ALTER TABLE "operator_keys" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "operator_keys" FORCE ROW LEVEL SECURITY;

-- The sealed private keys of documents stand behind the same wall; its owner goes past it, as processes of the version before may be connected as the owner.
CREATE POLICY service_rows ON "signing_keys" USING ((SELECT current_setting('app.scope', true) = 'system'));
ALTER TABLE "signing_keys" ENABLE ROW LEVEL SECURITY;
