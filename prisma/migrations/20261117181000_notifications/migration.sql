-- Notifications: how far the chains of a center were read, and who was or will be told of which decision.

CREATE TABLE notification_position (
  center_id int PRIMARY KEY REFERENCES center (id),
  journal int NOT NULL,
  proof int NOT NULL
);

-- A decision that a person is told of by mail, at most once on each occasion.
CREATE TYPE notice_occasion AS ENUM ('WAITING', 'REMINDER');
CREATE TABLE decision_notice (
  event_id text NOT NULL REFERENCES decision_event (id),
  actor_id uuid NOT NULL REFERENCES actor (id) ON DELETE CASCADE,
  occasion notice_occasion NOT NULL,
  center_id int NOT NULL,
  mail_id text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (event_id, actor_id, occasion)
);
CREATE INDEX decision_notice_mail_id_idx ON decision_notice (mail_id);
CREATE INDEX decision_notice_created_at_idx ON decision_notice (created_at);
CREATE INDEX decision_notice_unsent ON decision_notice (actor_id) WHERE mail_id IS NULL;

-- The URL of a chat is a credential: it is kept encrypted.
ALTER TABLE chat_channel
  ADD COLUMN host text NOT NULL DEFAULT '',
  ADD COLUMN attempts int NOT NULL DEFAULT 0,
  ADD COLUMN next_attempt_at timestamptz(3),
  ADD COLUMN sent_at timestamptz(3),
  ADD COLUMN problem text;
ALTER TABLE chat_channel ALTER COLUMN host DROP DEFAULT;
CREATE UNIQUE INDEX chat_channel_center_id_name_key ON chat_channel (center_id, name);

CREATE TYPE chat_occasion AS ENUM ('WAITING', 'DECIDED');
CREATE TABLE chat_notice (
  channel_id text NOT NULL REFERENCES chat_channel (id) ON DELETE CASCADE,
  event_id text NOT NULL REFERENCES decision_event (id),
  occasion chat_occasion NOT NULL,
  center_id int NOT NULL,
  leased_until timestamptz(3),
  sent_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (channel_id, event_id, occasion)
);
CREATE INDEX chat_notice_created_at_idx ON chat_notice (created_at);
CREATE INDEX chat_notice_unsent ON chat_notice (channel_id) WHERE sent_at IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON notification_position, decision_notice, chat_notice TO countersign_app;

DO $$
DECLARE
  secured text;
BEGIN
  FOREACH secured IN ARRAY ARRAY['notification_position', 'decision_notice', 'chat_notice'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY declared ON %I USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]))', secured);
  END LOOP;
END $$;
