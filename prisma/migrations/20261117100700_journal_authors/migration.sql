-- Who caused what stands on the journal. Entries hold the kind of the author and the digest of its id; id and salt are kept here.

ALTER TABLE decision_event
  ADD COLUMN by_kind approved_by_kind,
  ADD COLUMN by_id text,
  ADD COLUMN by_salt text;

CREATE TABLE journal_by (
  chain_id int NOT NULL,
  index int NOT NULL,
  center_id int,
  subject text NOT NULL,
  kind text NOT NULL,
  by_kind approved_by_kind NOT NULL,
  by_id text,
  salt text,
  CONSTRAINT journal_by_pkey PRIMARY KEY (chain_id, index)
);
CREATE INDEX journal_by_subject_idx ON journal_by (subject);
CREATE UNIQUE INDEX journal_by_one_claim ON journal_by (subject) WHERE kind = 'claimed';

GRANT SELECT, INSERT ON journal_by TO countersign_app;
ALTER TABLE journal_by ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal_by FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON journal_by
  USING ((SELECT declared_everywhere()) OR coalesce(center_id, 0) = ANY ((SELECT declared_centers())::int[]));
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON journal_by FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON journal_by FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- The author of a recorded decision stays as it is.
CREATE FUNCTION guard_decision_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_unless(
    NEW.by_kind IS NOT DISTINCT FROM OLD.by_kind AND NEW.by_id IS NOT DISTINCT FROM OLD.by_id
    AND NEW.by_salt IS NOT DISTINCT FROM OLD.by_salt,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER author_stays BEFORE UPDATE OF by_kind, by_id, by_salt ON decision_event
  FOR EACH ROW EXECUTE FUNCTION guard_decision_author();
