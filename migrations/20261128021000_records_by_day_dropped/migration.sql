-- archive_records_exported stands in its place. In a transaction of its own, and tried again and again: dropping it waits for whoever uses the
-- archive, an import to its end, and whoever comes to search it would wait behind that.
DO $$ BEGIN
  FOR attempt IN 1..900 LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '200ms', true);
      DROP INDEX IF EXISTS archive_records_by_day;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(1);
    END;
  END LOOP;
  RAISE EXCEPTION 'archive_records is in use without a pause: migrate again';
END $$;
