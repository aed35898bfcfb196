-- A use of a mandate names the hash of the record of the use before it.
SET LOCAL cs.centers = '*';
ALTER TABLE "mandate" ADD COLUMN "last_use" TEXT NOT NULL DEFAULT '';
GRANT UPDATE (last_use) ON mandate TO countersign_app;

-- The last use has the highest place on the chain; the clocks of processes that approved uses may differ. The record names the
-- mandate even if the approval's author was erased.
UPDATE mandate m SET last_use = u.hash
FROM (
  SELECT DISTINCT ON (id) id, hash
  FROM (
    SELECT r.content::jsonb #>> '{mandate,id}' AS id, r.index, r.hash FROM approval a
    JOIN decision_event e ON e.id = a.event_id AND e.status = 'sealed'
    JOIN dpu d ON d.id = e.dpu_id
    JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
    WHERE a.content #>> '{by,kind}' = 'mandate') uses
  ORDER BY id, index DESC) u
WHERE u.id = m.id;
