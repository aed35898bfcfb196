-- A lost tail: signed history that the database no longer has, and the logs that were closed because of one.

-- The findings of every process, shared: see src/domain/ledger/checkpoints/history/state.ts.
CREATE TABLE "history_state" (
    "subject" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "signed_size" BIGINT,
    "present_size" BIGINT,
    "note" TEXT,
    "message" TEXT NOT NULL,
    "noticed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "history_state_pkey" PRIMARY KEY ("subject","source")
);
GRANT SELECT, INSERT, UPDATE, DELETE ON history_state TO countersign_app;

-- Logs that a loss has closed. The statement is signed by a key of the service: only that makes it count.
CREATE TABLE "closed_log" (
    "number" INTEGER NOT NULL,
    "statement" TEXT NOT NULL,
    "closed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "closed_log_pkey" PRIMARY KEY ("number")
);

-- Entries of a closed log that the database had lost and a file still held.
CREATE TABLE "closed_log_entry" (
    "log" INTEGER NOT NULL,
    "log_index" BIGINT NOT NULL,
    "note" TEXT NOT NULL,

    CONSTRAINT "closed_log_entry_pkey" PRIMARY KEY ("log","log_index")
);
GRANT SELECT, INSERT ON closed_log, closed_log_entry TO countersign_app;

DO $$
DECLARE
  guarded text;
BEGIN
  FOREACH guarded IN ARRAY ARRAY['closed_log', 'closed_log_entry'] LOOP
    EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', guarded);
    EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', guarded);
  END LOOP;
END $$;

-- The number of the log that is signed now.
CREATE FUNCTION current_log() RETURNS int LANGUAGE sql STABLE PARALLEL SAFE AS
  'SELECT count(*)::int + 1 FROM closed_log';

-- Refuses a transaction that is about to seal while signed history is missing.
CREATE FUNCTION require_history() RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM history_state WHERE kind = 'lost') THEN
    RAISE EXCEPTION 'signed history is missing' USING ERRCODE = 'CS001';
  END IF;
END $$;

-- Everything of the head log belongs to one of its generations.
ALTER TABLE "checkpoint" ADD COLUMN "log" INTEGER NOT NULL DEFAULT 1;
DROP INDEX "checkpoint_log_index_key";
CREATE UNIQUE INDEX "checkpoint_log_log_index_key" ON "checkpoint"("log", "log_index");
ALTER TABLE "log_tile" ADD COLUMN "log" INTEGER NOT NULL DEFAULT 1,
  DROP CONSTRAINT "log_tile_pkey", ADD CONSTRAINT "log_tile_pkey" PRIMARY KEY ("log","level","index");
ALTER TABLE "log_head" ADD COLUMN "log" INTEGER NOT NULL DEFAULT 1,
  DROP CONSTRAINT "log_head_pkey", ADD CONSTRAINT "log_head_pkey" PRIMARY KEY ("log","size");
DROP INDEX "log_cosignature_key_id_name_size_idx";
ALTER TABLE "log_cosignature" ADD COLUMN "log" INTEGER NOT NULL DEFAULT 1,
  DROP CONSTRAINT "log_cosignature_pkey", ADD CONSTRAINT "log_cosignature_pkey" PRIMARY KEY ("log","size","key_id","name");
CREATE INDEX "log_cosignature_log_key_id_name_size_idx" ON "log_cosignature"("log","key_id","name","size" DESC);
-- What a witness has of one log says nothing about the next.
ALTER TABLE "witness_state" ADD COLUMN "log" INTEGER NOT NULL DEFAULT 1;
