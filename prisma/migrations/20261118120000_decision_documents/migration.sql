-- Decisions, approvals and outcomes are documents: `content` holds what was sealed, with its values. Large members are in
-- `large`, by path, so that lists need not read them. Erased members are in neither. What lists filter, sort and search by is
-- generated from the document. Which members there are is decided in packages/proof-kit/src/decision.ts alone.
SET LOCAL cs.centers = '*';

DROP TRIGGER content_stays ON decision_event;
DROP TRIGGER author_stays ON decision_event;
DROP TRIGGER erasure_only ON approval;
DROP TRIGGER seating_stays ON approval;
DROP TRIGGER erasure_only ON outcome;
DROP FUNCTION guard_decision_event(), guard_decision_author(), guard_approval(), guard_seating(), guard_outcome();
DROP INDEX approval_mandate_uses;

-- Existing rows --------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_temp.iso(moment timestamptz) RETURNS text LANGUAGE sql AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
-- A value of a column that could not be empty. After erasure it held an empty text or list.
CREATE FUNCTION pg_temp.unless_erased(erased json, path text, value jsonb) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN erased::jsonb ? path THEN NULL ELSE value END
$$;

ALTER TABLE decision_event ADD COLUMN content jsonb, ADD COLUMN large json;
UPDATE decision_event SET
  content = jsonb_strip_nulls(jsonb_build_object(
    'id', id,
    'decisionId', pg_temp.unless_erased(erased, 'decisionId', to_jsonb(decision_id)),
    'type', type,
    'actor', jsonb_build_object(
      'id', pg_temp.unless_erased(erased, 'actor.id', to_jsonb(actor_id)), 'type', actor_type, 'name', actor_name),
    'action', jsonb_build_object('type', action_type, 'description', action_description),
    'aiContext', ai_context::jsonb,
    'tags', pg_temp.unless_erased(erased, 'tags', to_jsonb(tags)),
    'riskScore', risk_score,
    'occurredAt', pg_temp.iso(occurred_at))),
  large = (
    SELECT json_object_agg(m.path, m.value)
    FROM (VALUES ('action.input', action_input), ('action.output', action_output)) m(path, value)
    WHERE m.value IS NOT NULL);

ALTER TABLE approval ADD COLUMN content jsonb;
UPDATE approval SET content = jsonb_strip_nulls(coalesce(seating::jsonb, '{}') || jsonb_build_object(
    'id', id,
    'approver', jsonb_build_object(
      'id', pg_temp.unless_erased(erased, 'approvals.approver.id', to_jsonb(approver_id)),
      'type', approver_type, 'name', approver_name),
    'result', result,
    'reason', reason,
    'by', jsonb_build_object('kind', by_kind, 'id', by_id),
    'onBehalfOf', on_behalf_of,
    'signature', signature::jsonb,
    'approvedAt', pg_temp.iso(created_at)));

ALTER TABLE outcome ADD COLUMN content jsonb, ADD COLUMN large json, ADD COLUMN salts json;
UPDATE outcome o SET
  content = jsonb_strip_nulls(jsonb_build_object(
    'kind', 'outcome', 'eventId', event_id, 'status', status, 'arguments', (
      SELECT r.content::jsonb ->> 'arguments' FROM ledger_chain c JOIN ledger_record r ON r.chain_id = c.id
      WHERE c.center_id = o.center_id AND c.domain = 'journal' AND r.index = o.journal_index))),
  large = CASE WHEN output IS NOT NULL THEN json_build_object('outcome.output', output) END,
  salts = CASE WHEN salt IS NULL THEN '{}' ELSE json_build_object('outcome.output', salt) END;

-- Prepared approvals are valid for minutes. Approvers prepare theirs again after the upgrade.
DELETE FROM prepared_approval;
ALTER TABLE prepared_approval DROP COLUMN result, DROP COLUMN reason, DROP COLUMN seating, DROP COLUMN on_behalf_of,
  ADD COLUMN content jsonb NOT NULL;

-- Columns --------------------------------------------------------------------------------------------------------------

-- Casts to enums and lists are not immutable for PostgreSQL, because a type can change. These types only gain values.
CREATE FUNCTION document_type(content jsonb) RETURNS decision_event_type LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN content ->> 'type';
END $$;
CREATE FUNCTION document_result(content jsonb) RETURNS approval_result LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN content ->> 'result';
END $$;
CREATE FUNCTION document_tags(content jsonb) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY (SELECT jsonb_array_elements_text(content -> 'tags'));
END $$;

ALTER TABLE decision_event
  DROP COLUMN decision_id, DROP COLUMN type, DROP COLUMN actor_id, DROP COLUMN actor_type, DROP COLUMN actor_name,
  DROP COLUMN action_type, DROP COLUMN action_description, DROP COLUMN action_input, DROP COLUMN action_output,
  DROP COLUMN ai_context, DROP COLUMN risk_score, DROP COLUMN tags, DROP COLUMN occurred_at,
  ALTER COLUMN content SET NOT NULL,
  ADD COLUMN decision_id text GENERATED ALWAYS AS (content ->> 'decisionId') STORED,
  ADD COLUMN type decision_event_type GENERATED ALWAYS AS (document_type(content)) STORED NOT NULL,
  ADD COLUMN actor_id text GENERATED ALWAYS AS (content #>> '{actor,id}') STORED,
  ADD COLUMN actor_type text GENERATED ALWAYS AS (content #>> '{actor,type}') STORED NOT NULL,
  ADD COLUMN actor_name text GENERATED ALWAYS AS (content #>> '{actor,name}') STORED,
  ADD COLUMN action_type text GENERATED ALWAYS AS (content #>> '{action,type}') STORED NOT NULL,
  ADD COLUMN tags text[] GENERATED ALWAYS AS (document_tags(content)) STORED;
CREATE INDEX decision_event_center_id_type_id_idx ON decision_event (center_id, type, id DESC);
CREATE INDEX decision_event_center_id_type_status_id_idx ON decision_event (center_id, type, status, id DESC);
-- In a small table all indexes that begin with the center cost the same, and PostgreSQL takes the newest. It must be this one:
-- with another, a plan kept from then reads all decisions of the center for every one that is recorded.
DROP INDEX decision_event_idempotency_key;
CREATE UNIQUE INDEX decision_event_idempotency_key ON decision_event (center_id, source, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

ALTER TABLE approval
  DROP COLUMN approver_id, DROP COLUMN approver_type, DROP COLUMN approver_name, DROP COLUMN result, DROP COLUMN reason,
  DROP COLUMN by_kind, DROP COLUMN by_id, DROP COLUMN signature, DROP COLUMN seating, DROP COLUMN on_behalf_of,
  ALTER COLUMN content SET NOT NULL,
  ADD COLUMN result approval_result GENERATED ALWAYS AS (document_result(content)) STORED NOT NULL;
-- The decisions that a mandate approved, newest first.
CREATE INDEX approval_mandate_uses ON approval ((content #>> '{by,id}'), created_at DESC)
  WHERE content #>> '{by,kind}' = 'mandate';

ALTER TABLE outcome DROP COLUMN status, DROP COLUMN output, DROP COLUMN salt,
  ALTER COLUMN content SET NOT NULL, ALTER COLUMN salts SET NOT NULL;
DROP TYPE approver_type, outcome_status, event_actor_type;

-- What stays -----------------------------------------------------------------------------------------------------------

-- A document without some members. Their paths begin with a prefix that names the document.
CREATE FUNCTION without_members(document jsonb, paths text[], prefix text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  path text;
BEGIN
  FOREACH path IN ARRAY paths LOOP
    document := document #- string_to_array(substr(path, length(prefix) + 1), '.');
  END LOOP;
  RETURN document;
END $$;
CREATE FUNCTION without_large(large json, paths text[]) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(m.key, m.value) FROM json_each(large) m WHERE m.key <> ALL (paths)
$$;

-- The document is as it was, but for members that are marked as erased, and so is the rest of the row, but for the columns that
-- the trigger names after the prefix: generated ones, and those with guards of their own.
CREATE FUNCTION guard_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone text[] := ARRAY (SELECT jsonb_object_keys(coalesce(NEW.erased::jsonb, '{}')));
  was jsonb := to_jsonb(OLD) - (TG_ARGV[1])::text[];
  is_now jsonb := to_jsonb(NEW) - (TG_ARGV[1])::text[];
  document text[] := '{content,large,salts,erased}';
BEGIN
  PERFORM refuse_unless(
    is_now - document = was - document
    AND is_now -> 'content' = without_members(was -> 'content', gone, TG_ARGV[0])
    AND coalesce(nullif(is_now -> 'large', 'null'), '{}') = coalesce(nullif(was -> 'large', 'null'), '{}') - gone
    AND erases_only(OLD.salts, OLD.erased, NEW.salts, NEW.erased),
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
-- Changes of the status leave the columns named here alone and cost nothing.
CREATE TRIGGER content_stays BEFORE UPDATE OF id, center_id, evidence_id, dpu_id, source, content, large, salts, erased,
    content_hash, journal_index, by_kind, by_id, by_salt, expires_at, created_at
  ON decision_event FOR EACH ROW EXECUTE FUNCTION guard_document('', '{status,awaits_approval,updated_at,body_hash,
    idempotency_key,decision_id,type,actor_id,actor_type,actor_name,action_type,tags}');
CREATE TRIGGER content_stays BEFORE UPDATE ON approval
  FOR EACH ROW EXECUTE FUNCTION guard_document('approvals.', '{result}');
CREATE TRIGGER content_stays BEFORE UPDATE ON outcome
  FOR EACH ROW EXECUTE FUNCTION guard_document('outcome.', '{}');

-- Digests and keys of what was sent say as much as what was sent. That of a workflow names its run and step only.
CREATE FUNCTION guard_decision_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb := coalesce(NEW.erased::jsonb, '{}');
BEGIN
  PERFORM refuse_unless(
    NEW.body_hash IS NOT DISTINCT FROM CASE WHEN gone = '{}' THEN OLD.body_hash END
    AND NEW.idempotency_key IS NOT DISTINCT FROM
        CASE WHEN gone ? 'decisionId' AND OLD.source <> 'WORKFLOW' THEN NULL ELSE OLD.idempotency_key END,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER keys_stay BEFORE UPDATE OF body_hash, idempotency_key, erased ON decision_event
  FOR EACH ROW EXECUTE FUNCTION guard_decision_keys();

CREATE OR REPLACE FUNCTION count_decision_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || center_id, sum(
    octet_length(content::text) + coalesce(octet_length(large::text), 0) + octet_length(salts::text))
  FROM new_rows GROUP BY center_id;
  RETURN NULL;
END $$;

-- What goes ------------------------------------------------------------------------------------------------------------

-- Deletes members of a decision and appends the entry of the journal. The digests are those of the members' disclosures:
-- {event: {path: digest}, approvals: {id: {path: digest}}, outcome: {path: digest}}.
CREATE OR REPLACE FUNCTION erase_decision_members(p_center_id int, p_entry text, p_timestamp text, p_digests jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry jsonb := p_entry;
  why text := entry ->> 'reason';
  digests jsonb := '{"event": {}, "approvals": {}, "outcome": {}}' || p_digests;
  marks jsonb := erasure_marks(digests -> 'event', p_timestamp, why);
  paths text[] := ARRAY (SELECT jsonb_object_keys(marks));
  named text[];
  event decision_event;
  sealing approval;
  gone jsonb;
BEGIN
  PERFORM require_declared(p_center_id);
  SELECT * INTO event FROM decision_event e WHERE e.id = entry ->> 'eventId' AND e.center_id = p_center_id FOR UPDATE;
  IF event.id IS NULL OR event.status NOT IN ('sealed', 'rejected') THEN
    RAISE EXCEPTION 'the decision is not final or does not exist' USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT array_agg(DISTINCT path COLLATE "C" ORDER BY path COLLATE "C") INTO named FROM (
    SELECT unnest(paths) AS path
    UNION ALL SELECT jsonb_object_keys(digests -> 'outcome')
    UNION ALL SELECT jsonb_object_keys(each.value) FROM jsonb_each(digests -> 'approvals') each) every_path;
  IF (entry ->> 'kind' = 'erased' AND why IS NOT NULL AND entry -> 'fields' = to_jsonb(named)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal entry does not name what is erased' USING ERRCODE = 'restrict_violation';
  END IF;
  -- Under another digest than the sealed one the value would be lost, and its seal with it.
  IF EXISTS (
    SELECT FROM dpu d JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index, LATERAL (
      SELECT value FROM jsonb_each_text(digests -> 'event')
      UNION ALL
      SELECT m.value FROM jsonb_each(digests -> 'approvals') a, jsonb_each_text(a.value) m) digest
    WHERE d.id = event.dpu_id AND strpos(r.content, '"' || digest.value || '"') = 0) THEN
    RAISE EXCEPTION 'a digest was not sealed' USING ERRCODE = 'restrict_violation';
  END IF;

  UPDATE decision_event e SET
    content = without_members(e.content, paths, ''),
    large = without_large(e.large, paths),
    salts = (e.salts::jsonb - paths)::json,
    erased = CASE WHEN marks = '{}' THEN e.erased ELSE (coalesce(e.erased::jsonb, '{}') || marks)::json END,
    idempotency_key = CASE WHEN marks ? 'decisionId' AND source <> 'WORKFLOW' THEN NULL ELSE idempotency_key END,
    body_hash = CASE WHEN marks = '{}' THEN body_hash END
  WHERE e.id = event.id
  RETURNING coalesce(e.erased::jsonb, '{}') INTO gone;
  IF marks ? 'tags' THEN
    PERFORM erase_from_tags(event);
  END IF;

  UPDATE approval a SET
    content = without_members(a.content, m.paths, 'approvals.'),
    salts = (a.salts::jsonb - m.paths)::json,
    erased = (coalesce(a.erased::jsonb, '{}') || m.marks)::json
  FROM (
    SELECT each.key AS id, erasure_marks(each.value, p_timestamp, why) AS marks,
           ARRAY (SELECT jsonb_object_keys(each.value)) AS paths
    FROM jsonb_each(digests -> 'approvals') each) m
  WHERE a.id = m.id AND a.event_id = event.id;

  paths := ARRAY (SELECT jsonb_object_keys(digests -> 'outcome'));
  UPDATE outcome o SET
    content = without_members(o.content, paths, 'outcome.'),
    large = without_large(o.large, paths),
    salts = (o.salts::jsonb - paths)::json,
    erased = (coalesce(o.erased::jsonb, '{}') || erasure_marks(digests -> 'outcome', p_timestamp, why))::json
  WHERE o.event_id = event.id AND o.salts::jsonb ?| paths;

  SELECT * INTO sealing FROM approval a
  WHERE a.event_id = event.id AND a.journal_index IS NULL ORDER BY a.id DESC LIMIT 1;
  gone := gone || coalesce(sealing.erased::jsonb, '{}');
  UPDATE dpu d SET
    tags = CASE WHEN gone ? 'tags' THEN '{}' ELSE tags END,
    actor_id = CASE WHEN gone ? 'approvals.approver.id' THEN NULL ELSE actor_id END,
    metadata = CASE WHEN gone ? 'decisionId' THEN (metadata::jsonb - 'decisionId')::json ELSE metadata END
  WHERE d.id = event.dpu_id;
  PERFORM ledger_append(ledger_chain_for(p_center_id, 'journal'), ARRAY[p_entry], p_timestamp);
END $$;
