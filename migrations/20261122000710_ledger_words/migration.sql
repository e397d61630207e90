-- The ledger is never rewritten, but for the words beside the figures: an erasure says that it is one, and may take a person out of them.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('weather.erasing', true) = 'on'
     AND to_jsonb(NEW) - 'description' - 'note' = to_jsonb(OLD) - 'description' - 'note' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the ledger is never rewritten: add an adjustment' USING ERRCODE = 'integrity_constraint_violation';
END $$;
