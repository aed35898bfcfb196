-- Erasures that wait for a second administrator.
CREATE TABLE pending_erasure (
  -- The decision or the record of the platform.
  subject text PRIMARY KEY,
  center_id int NOT NULL,
  -- Null: all members.
  fields text[],
  reason text NOT NULL,
  requested_by uuid NOT NULL,
  requested_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, DELETE ON pending_erasure TO countersign_app;
ALTER TABLE pending_erasure ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_erasure FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON pending_erasure
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
