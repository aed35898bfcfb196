-- A question of a workflow that a person is told of by mail, at most once.
CREATE TABLE question_notice (
  execution_id text NOT NULL REFERENCES workflow_execution (id) ON DELETE CASCADE,
  position int NOT NULL,
  actor_id uuid NOT NULL REFERENCES actor (id) ON DELETE CASCADE,
  center_id int NOT NULL,
  mail_id text,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (execution_id, position, actor_id)
);
CREATE INDEX question_notice_mail_id_idx ON question_notice (mail_id);
CREATE INDEX question_notice_created_at_idx ON question_notice (created_at);
CREATE INDEX question_notice_unsent ON question_notice (actor_id) WHERE mail_id IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON question_notice TO countersign_app;
ALTER TABLE question_notice ENABLE ROW LEVEL SECURITY;
ALTER TABLE question_notice FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON question_notice
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
