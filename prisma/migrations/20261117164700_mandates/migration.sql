-- Mandates: approvals for a class of calls. The terms are the input of the granting decision; this table counts the uses.

ALTER TYPE approved_by_kind ADD VALUE 'mandate';

CREATE TABLE mandate (
  id text PRIMARY KEY,
  center_id int NOT NULL,
  event_id text NOT NULL REFERENCES decision_event (id),
  agent_key text NOT NULL,
  used int NOT NULL DEFAULT 0,
  spent double precision NOT NULL DEFAULT 0,
  revoked_at timestamptz(3),
  revoke_reason text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX mandate_event_id_key ON mandate (event_id);
CREATE INDEX mandate_center_id_agent_key_idx ON mandate (center_id, agent_key);
CREATE INDEX mandate_center_id_id_idx ON mandate (center_id, id DESC);

-- A use is never given back, and what was revoked stays revoked.
CREATE FUNCTION guard_mandate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_unless(
    NEW.used >= OLD.used AND NEW.spent >= OLD.spent
    AND (OLD.revoked_at IS NULL OR (NEW.revoked_at = OLD.revoked_at AND NEW.used = OLD.used)),
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER uses_stay BEFORE UPDATE ON mandate FOR EACH ROW EXECUTE FUNCTION guard_mandate();

GRANT SELECT, INSERT ON mandate TO countersign_app;
GRANT UPDATE (used, spent, revoked_at, revoke_reason) ON mandate TO countersign_app;

ALTER TABLE mandate ENABLE ROW LEVEL SECURITY;
ALTER TABLE mandate FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON mandate USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
