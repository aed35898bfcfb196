-- AlterTable
ALTER TABLE "ledger_chain" ADD COLUMN     "origin" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "ledger_chain_origin_key" ON "ledger_chain"("origin");

-- AddForeignKey
ALTER TABLE "checkpoint" ADD CONSTRAINT "checkpoint_chain_id_fkey" FOREIGN KEY ("chain_id") REFERENCES "ledger_chain"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "checkpoint" ADD CONSTRAINT "checkpoint_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "signing_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A chain's head only moves forward, its origin is given once, and a chain never goes away.
CREATE OR REPLACE FUNCTION guard_chain_head() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same_chain boolean;
  moves_on boolean;
  gets_origin boolean;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    same_chain := NEW.id = OLD.id AND NEW.center_id IS NOT DISTINCT FROM OLD.center_id AND NEW.domain = OLD.domain;
    moves_on := NEW.size > OLD.size AND NEW.origin IS NOT DISTINCT FROM OLD.origin;
    gets_origin := OLD.origin IS NULL AND NEW.origin IS NOT NULL AND NEW.size = OLD.size
      AND NEW.head_hash IS NOT DISTINCT FROM OLD.head_hash;
    IF same_chain AND (moves_on OR gets_origin) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'ledger_chain only grows: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;

-- Whoever checks an old checkpoint needs the key that signed it.
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON signing_key FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON signing_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
