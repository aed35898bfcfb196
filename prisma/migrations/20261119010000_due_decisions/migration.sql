-- When the worker next has to look at a decision that waits: to reject it or to escalate it. One pass over all centers finds what
-- is due in this index, instead of a job for each decision and a scan of all decisions that wait.
SET LOCAL cs.centers = '*';
ALTER TABLE "decision_event" ADD COLUMN "due_at" TIMESTAMPTZ(3);
GRANT UPDATE (due_at) ON decision_event TO countersign_app;

-- Decisions of centers with an escalating policy are looked at once by the first pass.
UPDATE decision_event e SET due_at = least(e.expires_at, (
  SELECT e.created_at FROM policy p
  WHERE p.center_id = e.center_id AND p.active AND p.guards ->> 'escalateToGroup' IS NOT NULL LIMIT 1))
WHERE status IN ('recorded', 'approved') AND (source <> 'AGENT' OR awaits_approval);

CREATE INDEX decision_event_due ON decision_event (center_id, due_at)
  WHERE status IN ('recorded', 'approved') AND due_at IS NOT NULL;

-- The jobs and timed tasks of the previous version.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NULL THEN
    RETURN;
  END IF;
  DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
  WHERE t.id = j.task_id AND t.identifier IN ('expire_decision', 'escalate_decisions');
END $$;
