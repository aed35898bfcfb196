-- An account that the operator has suspended cannot sign in, and gives its family no rights.
ALTER TABLE "actor" ADD COLUMN "suspended_at" TIMESTAMPTZ(3);

-- A suspension cuts the account off from its family, and its end ties it again, so anybody may be concerned.
DROP TRIGGER principals_actor_tied ON actor;
CREATE TRIGGER principals_actor_tied AFTER INSERT OR DELETE OR UPDATE OF email, phone, suspended_at ON actor FOR EACH ROW
  EXECUTE FUNCTION principals_changed('all');

-- When an administrator dismissed the first steps of a center.
ALTER TABLE "membership" ADD COLUMN "first_steps_dismissed_at" TIMESTAMPTZ(3);

-- Decisions that an administrator recorded to practice an approval.
CREATE TABLE practice_request (
  event_id text NOT NULL REFERENCES decision_event (id),
  center_id int NOT NULL,
  CONSTRAINT practice_request_pkey PRIMARY KEY (event_id)
);
CREATE INDEX practice_request_center_id_event_id_idx ON practice_request (center_id, event_id DESC);

GRANT SELECT, INSERT ON practice_request TO countersign_app;
ALTER TABLE practice_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE practice_request FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON practice_request
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON practice_request FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON practice_request FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
