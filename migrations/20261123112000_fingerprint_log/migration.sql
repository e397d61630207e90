-- The log of fingerprints: entries in the order of their appending, the hashes of the tree over them, and what the log said of itself.
ALTER TABLE "reports" ADD COLUMN "log_salt" BYTEA;

CREATE TABLE "fingerprint_log_pending" (
    "id" BIGSERIAL NOT NULL,
    "entry" BYTEA NOT NULL,

    CONSTRAINT "fingerprint_log_pending_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "fingerprint_log_entries" (
    "index" BIGINT NOT NULL,
    "entry" BYTEA NOT NULL,
    "appended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fingerprint_log_entries_pkey" PRIMARY KEY ("index")
);
CREATE UNIQUE INDEX "fingerprint_log_entries_entry_key" ON "fingerprint_log_entries"("entry");

CREATE TABLE "fingerprint_log_tiles" (
    "level" INTEGER NOT NULL,
    "index" BIGINT NOT NULL,
    "hashes" BYTEA NOT NULL,

    CONSTRAINT "fingerprint_log_tiles_pkey" PRIMARY KEY ("level","index")
);

CREATE TABLE "fingerprint_log_checkpoints" (
    "size" BIGINT NOT NULL,
    "note" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fingerprint_log_checkpoints_pkey" PRIMARY KEY ("size")
);

CREATE TABLE "fingerprint_log_cosignatures" (
    "size" BIGINT NOT NULL,
    "witness" TEXT NOT NULL,
    "line" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fingerprint_log_cosignatures_pkey" PRIMARY KEY ("size","witness")
);
ALTER TABLE "fingerprint_log_cosignatures" ADD CONSTRAINT "fingerprint_log_cosignatures_size_fkey" FOREIGN KEY ("size") REFERENCES "fingerprint_log_checkpoints"("size") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "fingerprint_log_timestamps" (
    "size" BIGINT NOT NULL,
    "token" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "fingerprint_log_timestamps_pkey" PRIMARY KEY ("size")
);
ALTER TABLE "fingerprint_log_timestamps" ADD CONSTRAINT "fingerprint_log_timestamps_size_fkey" FOREIGN KEY ("size") REFERENCES "fingerprint_log_checkpoints"("size") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Sizes that a hash has, and no other.
ALTER TABLE "fingerprint_log_pending" ADD CONSTRAINT "fingerprint_log_pending_is_hash" CHECK (length("entry") = 32);
ALTER TABLE "fingerprint_log_entries" ADD CONSTRAINT "fingerprint_log_entries_is_hash" CHECK (length("entry") = 32);
ALTER TABLE "fingerprint_log_tiles" ADD CONSTRAINT "fingerprint_log_tiles_are_hashes" CHECK (length("hashes") BETWEEN 32 AND 8192 AND length("hashes") % 32 = 0);
ALTER TABLE "reports" ADD CONSTRAINT "reports_log_salt_size" CHECK (length("log_salt") = 32);

-- The log only grows, whatever a process tries: rows of it are never changed or removed.
CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the log of fingerprints is never rewritten';
END $$;
CREATE TRIGGER keep_log BEFORE UPDATE OR DELETE ON fingerprint_log_entries FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON fingerprint_log_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER keep_log BEFORE UPDATE OR DELETE ON fingerprint_log_checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON fingerprint_log_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER keep_log BEFORE DELETE ON fingerprint_log_tiles FOR EACH ROW EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER keep_log_whole BEFORE TRUNCATE ON fingerprint_log_tiles FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

-- A tile grows at its end: the hashes that it has stay where they are.
CREATE FUNCTION keep_log_tile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.level <> OLD.level OR NEW.index <> OLD.index OR substring(NEW.hashes FROM 1 FOR length(OLD.hashes)) IS DISTINCT FROM OLD.hashes THEN
    RAISE EXCEPTION 'the log of fingerprints is never rewritten';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_log_tile BEFORE UPDATE ON fingerprint_log_tiles FOR EACH ROW EXECUTE FUNCTION keep_log_tile();

-- An entry takes the next place, so that there is neither a gap nor a second log beside this one.
CREATE FUNCTION place_log_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.index IS DISTINCT FROM coalesce((SELECT max(e.index) + 1 FROM fingerprint_log_entries e), 0) THEN
    RAISE EXCEPTION 'entry % of the log of fingerprints is not the next one', NEW.index;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER place_log_entry BEFORE INSERT ON fingerprint_log_entries FOR EACH ROW EXECUTE FUNCTION place_log_entry();

-- A checkpoint is one of all entries there are.
CREATE FUNCTION place_log_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.size IS DISTINCT FROM (SELECT max(e.index) + 1 FROM fingerprint_log_entries e) THEN
    RAISE EXCEPTION 'a checkpoint of % entries is not one of the log as it is', NEW.size;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER place_log_checkpoint BEFORE INSERT ON fingerprint_log_checkpoints FOR EACH ROW EXECUTE FUNCTION place_log_checkpoint();

-- Its own key signs the log; nobody but the install has made it.
ALTER TABLE "signing_keys" DROP CONSTRAINT "signing_keys_purpose";
ALTER TABLE "signing_keys" ADD CONSTRAINT "signing_keys_purpose" CHECK ("purpose" IN ('fingerprint', 'document', 'log'));
