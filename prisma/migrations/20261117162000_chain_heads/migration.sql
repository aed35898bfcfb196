-- The head of a chain moves only to a record that is there. The application may change size and head_hash, so without this rule
-- an injected statement could move a head past records that nobody wrote, and nothing could be appended after it.
CREATE FUNCTION require_head_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM ledger_record r WHERE r.chain_id = NEW.id AND r.index = NEW.size - 1 AND r.hash = NEW.head_hash
  ) THEN
    RAISE EXCEPTION 'ledger_chain only grows by records: there is none at % of chain %', NEW.size - 1, NEW.id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER head_has_record AFTER UPDATE OF size, head_hash ON ledger_chain FOR EACH ROW
  WHEN (NEW.size IS DISTINCT FROM OLD.size) EXECUTE FUNCTION require_head_record();
