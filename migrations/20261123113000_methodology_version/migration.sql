-- By which version of the rules a report was made (docs/methodology.md). Processes of the version before state none: theirs is 2.
ALTER TABLE "reports" ADD COLUMN "methodology_version" TEXT NOT NULL DEFAULT '2';

-- Reports that were completed before this database knew caveats, which came with version 2, were made by version 1.
SELECT set_config('app.scope', 'system', true);
DO $$
BEGIN
  IF to_regclass('_prisma_migrations') IS NULL THEN RETURN; END IF;
  UPDATE reports SET methodology_version = '1'
   WHERE generated_at < (SELECT min(finished_at) FROM _prisma_migrations WHERE migration_name = '20261122000400_caveats');
END $$;
