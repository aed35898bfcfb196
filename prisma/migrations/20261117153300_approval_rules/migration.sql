-- Approval rules: groups, the seats that approvals fill, delegations, escalations and notifications.

CREATE TABLE approval_group (
  id text PRIMARY KEY,
  center_id int NOT NULL REFERENCES center (id),
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE UNIQUE INDEX approval_group_center_id_name_key ON approval_group (center_id, name);

CREATE TABLE approval_group_member (
  group_id text NOT NULL REFERENCES approval_group (id) ON DELETE CASCADE,
  membership_id text NOT NULL REFERENCES membership (id) ON DELETE CASCADE,
  center_id int NOT NULL,
  PRIMARY KEY (group_id, membership_id)
);
CREATE INDEX approval_group_member_membership_id_idx ON approval_group_member (membership_id);

CREATE TABLE delegation (
  id text PRIMARY KEY,
  center_id int NOT NULL,
  from_membership_id text NOT NULL REFERENCES membership (id) ON DELETE CASCADE,
  to_membership_id text NOT NULL REFERENCES membership (id) ON DELETE CASCADE,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  reason text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ended_at timestamptz(3)
);
CREATE INDEX delegation_to_membership_id_idx ON delegation (to_membership_id);
CREATE INDEX delegation_from_membership_id_idx ON delegation (from_membership_id);
CREATE INDEX delegation_center_id_id_idx ON delegation (center_id, id);

-- One for each decision and group that it escalated to.
CREATE TABLE escalation (
  event_id text NOT NULL REFERENCES decision_event (id),
  group_id text NOT NULL,
  center_id int NOT NULL,
  escalated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (event_id, group_id)
);

CREATE TYPE mail_frequency AS ENUM ('IMMEDIATELY', 'DAILY', 'OFF');
CREATE TABLE notification_setting (
  actor_id uuid PRIMARY KEY REFERENCES actor (id) ON DELETE CASCADE,
  mail mail_frequency NOT NULL,
  digest_at timestamptz(3)
);

CREATE TYPE chat_kind AS ENUM ('SLACK', 'TEAMS', 'GENERIC');
CREATE TABLE chat_channel (
  id text PRIMARY KEY,
  center_id int NOT NULL REFERENCES center (id),
  name text NOT NULL,
  url text NOT NULL,
  kind chat_kind NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE INDEX chat_channel_center_id_id_idx ON chat_channel (center_id, id);

ALTER TABLE approval ADD COLUMN seating json, ADD COLUMN on_behalf_of text;
ALTER TABLE prepared_approval ADD COLUMN seating json, ADD COLUMN on_behalf_of text;

-- The seats stay as they are; the person whose delegate approved can be erased.
CREATE FUNCTION guard_seating() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone boolean := coalesce(NEW.erased::jsonb, '{}') ? 'approvals.onBehalfOf';
BEGIN
  IF gone THEN NEW.on_behalf_of := NULL; END IF;
  PERFORM refuse_unless(
    NEW.seating::text IS NOT DISTINCT FROM OLD.seating::text
    AND (gone OR NEW.on_behalf_of IS NOT DISTINCT FROM OLD.on_behalf_of),
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER seating_stays BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION guard_seating();

GRANT SELECT, INSERT, UPDATE, DELETE ON approval_group, approval_group_member, chat_channel, notification_setting TO countersign_app;
GRANT SELECT, INSERT ON delegation, escalation TO countersign_app;
GRANT UPDATE (ended_at) ON delegation TO countersign_app;

DO $$
DECLARE
  secured text;
BEGIN
  FOREACH secured IN ARRAY ARRAY['approval_group', 'approval_group_member', 'delegation', 'escalation', 'chat_channel'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY declared ON %I USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]))', secured);
  END LOOP;
END $$;
-- Settings belong to a person, not to a center.
ALTER TABLE notification_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON notification_setting USING ((SELECT declared_everywhere()));
