-- Alert rules of a team, who they mail, which storm days have met them, and each mail from before it is sent.
CREATE TABLE "alert_rules" (
  "id" UUID NOT NULL,
  "team_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "kinds" TEXT[],
  "least_hail_in" DOUBLE PRECISION,
  "least_gust_mph" DOUBLE PRECISION,
  "greatest_miles" DOUBLE PRECISION,
  "evidence" TEXT NOT NULL DEFAULT 'observed',
  "tag" TEXT,
  "property_id" UUID,
  "territory_id" UUID,
  "quiet_from" TEXT,
  "quiet_until" TEXT,
  "pace" TEXT NOT NULL DEFAULT 'at_once',
  "active" BOOLEAN NOT NULL DEFAULT true,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "alert_rules_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "alert_rules_kinds" CHECK ("kinds" <@ ARRAY['hail', 'wind', 'tornado', 'other'] AND cardinality("kinds") > 0),
  CONSTRAINT "alert_rules_evidence" CHECK ("evidence" IN ('observed', 'any')),
  CONSTRAINT "alert_rules_pace" CHECK ("pace" IN ('at_once', 'digest')),
  CONSTRAINT "alert_rules_one_scope" CHECK (num_nonnulls("tag", "property_id", "territory_id") <= 1),
  CONSTRAINT "alert_rules_quiet_both" CHECK (num_nonnulls("quiet_from", "quiet_until") IN (0, 2)),
  CONSTRAINT "alert_rules_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "alert_rules_team_id_property_id_fkey" FOREIGN KEY ("team_id", "property_id") REFERENCES "properties" ("team_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "alert_rules_team_id_territory_id_fkey" FOREIGN KEY ("team_id", "territory_id") REFERENCES "territories" ("team_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "alert_rules_team_id_id_key" ON "alert_rules" ("team_id", "id");

CREATE TABLE "alert_recipients" (
  "team_id" UUID NOT NULL,
  "rule_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "stopped_at" TIMESTAMPTZ(3),
  CONSTRAINT "alert_recipients_pkey" PRIMARY KEY ("rule_id", "email"),
  CONSTRAINT "alert_recipients_email" CHECK ("email" = lower("email")),
  CONSTRAINT "alert_recipients_team_id_rule_id_fkey" FOREIGN KEY ("team_id", "rule_id") REFERENCES "alert_rules" ("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "alert_addresses" (
  "team_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "hash" TEXT,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "confirmed_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "alert_addresses_pkey" PRIMARY KEY ("team_id", "email"),
  CONSTRAINT "alert_addresses_email" CHECK ("email" = lower("email")),
  CONSTRAINT "alert_addresses_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "alert_addresses_hash_key" ON "alert_addresses" ("hash");

CREATE TABLE "alert_matches" (
  "team_id" UUID NOT NULL,
  "rule_id" UUID NOT NULL,
  "exposure_id" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "alert_matches_pkey" PRIMARY KEY ("rule_id", "exposure_id"),
  CONSTRAINT "alert_matches_team_id_rule_id_fkey" FOREIGN KEY ("team_id", "rule_id") REFERENCES "alert_rules" ("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "alert_matches_team_id_exposure_id_fkey" FOREIGN KEY ("team_id", "exposure_id") REFERENCES "exposures" ("team_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "alert_matches_exposure_id_idx" ON "alert_matches" ("exposure_id");

CREATE TABLE "alert_mails" (
  "id" UUID NOT NULL,
  "team_id" UUID NOT NULL,
  "rule_id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "subject" TEXT NOT NULL,
  "exposure_ids" INTEGER[],
  "status" TEXT NOT NULL DEFAULT 'queued',
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "failure_reason" TEXT,
  "maybe_repeated" BOOLEAN NOT NULL DEFAULT false,
  "send_after" TIMESTAMPTZ(3) NOT NULL,
  "lease_token" UUID,
  "leased_until" TIMESTAMPTZ(3),
  "sent_at" TIMESTAMPTZ(3),
  "failed_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "alert_mails_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "alert_mails_status" CHECK ("status" IN ('queued', 'sending', 'retrying', 'sent', 'failed', 'skipped')),
  CONSTRAINT "alert_mails_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "alert_mails_team_id_id_key" ON "alert_mails" ("team_id", "id");
CREATE INDEX "alert_mails_team_id_created_at_id_idx" ON "alert_mails" ("team_id", "created_at" DESC, "id" DESC);
CREATE INDEX "alert_mails_rule_id_email_idx" ON "alert_mails" ("rule_id", "email");
CREATE INDEX "alert_mails_created_at_idx" ON "alert_mails" ("created_at");
-- What is still to be sent, by when: what workers take, and the sweeper looks for.
CREATE INDEX "alert_mails_due" ON "alert_mails" ("send_after") WHERE "status" IN ('queued', 'sending', 'retrying');

DO $$
DECLARE owned text;
BEGIN
  FOREACH owned IN ARRAY ARRAY['alert_rules', 'alert_recipients', 'alert_addresses', 'alert_matches', 'alert_mails'] LOOP
    EXECUTE format('CREATE TRIGGER keep_team BEFORE UPDATE OF team_id ON %I FOR EACH ROW
      WHEN (OLD.team_id IS DISTINCT FROM NEW.team_id) EXECUTE FUNCTION refuse_team_change()', owned);
    PERFORM wall_team_rows(owned::regclass);
  END LOOP;
END $$;
