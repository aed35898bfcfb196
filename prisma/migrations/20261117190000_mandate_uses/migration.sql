-- The decisions that a mandate approved, newest first.
CREATE INDEX approval_mandate_uses ON approval (by_id, created_at DESC) WHERE by_kind = 'mandate';
