-- Nothing is looked up in it since there is deliveries_by_time. In a transaction of its own, and tried again and again: dropping it waits for whoever
-- reads deliveries, a backup to its end, and whoever comes to post would wait behind that.
DO $$ BEGIN
  FOR attempt IN 1..900 LOOP
    BEGIN
      PERFORM set_config('lock_timeout', '200ms', true);
      DROP INDEX IF EXISTS deliveries_waiting;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(1);
    END;
  END LOOP;
  RAISE EXCEPTION 'deliveries is in use without a pause: migrate again';
END $$;
