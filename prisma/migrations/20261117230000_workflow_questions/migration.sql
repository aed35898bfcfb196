-- Pending reviews are counted whenever a person opens the console; almost no execution has one.
CREATE INDEX "workflow_execution_awaiting_review" ON "workflow_execution" ("center_id", "id" DESC)
  WHERE "status" = 'AWAITING_REVIEW';
