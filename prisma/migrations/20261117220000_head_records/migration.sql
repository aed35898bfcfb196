-- The rule of migration chain_heads, checked once for each statement: row-level security on ledger_record made the check of
-- each single row cost as much as a third of an approval.
DROP TRIGGER head_has_record ON ledger_chain;
DROP FUNCTION require_head_record();

CREATE FUNCTION require_head_records() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  headless record;
BEGIN
  SELECT n.id, n.size INTO headless FROM new_rows n JOIN old_rows o ON o.id = n.id
  WHERE n.size IS DISTINCT FROM o.size AND (
    SELECT r.hash FROM ledger_record r WHERE r.chain_id = n.id AND r.index = n.size - 1) IS DISTINCT FROM n.head_hash
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'ledger_chain only grows by records: there is none at % of chain %', headless.size - 1, headless.id
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER heads_have_records AFTER UPDATE ON ledger_chain REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION require_head_records();
