-- What the forgetting of old events asks: does a run under way still need this one, and which webhooks were deleted?
CREATE INDEX workflow_execution_open_idx ON workflow_execution (started_by) WHERE status IN ('RUNNING', 'AWAITING_REVIEW');
CREATE INDEX webhook_deleted_idx ON webhook (deleted_at) WHERE deleted_at IS NOT NULL;
