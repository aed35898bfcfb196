-- What was recorded stays as it was, but for what erasure takes away.
--
-- The application's role may move the status of a decision and raise the level of a record, and nothing else of either;
-- approvals, outcomes and ledger records it may not change at all. Erasure is two functions of the owner. What they may do
-- is decided by the triggers below, for everybody: a member that is marked as erased is empty, and everything else is as
-- it was.

-- What stays -------------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_unless(allowed boolean, refused text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF allowed IS NOT TRUE THEN
    RAISE EXCEPTION '% is sealed: change refused', refused USING ERRCODE = 'restrict_violation';
  END IF;
END $$;

-- Whether marks were only added, and only for members whose salt went with them.
CREATE FUNCTION erases_only(old_salts json, old_erased json, new_salts json, new_erased json) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(new_erased::jsonb, '{}') @> coalesce(old_erased::jsonb, '{}')
    AND new_salts::jsonb = old_salts::jsonb - array(SELECT jsonb_object_keys(coalesce(new_erased::jsonb, '{}')))
    AND NOT EXISTS (
      SELECT FROM jsonb_each(coalesce(new_erased::jsonb, '{}')) m
      WHERE NOT (old_salts::jsonb ? m.key OR coalesce(old_erased::jsonb, '{}') ? m.key)
        OR jsonb_typeof(m.value) <> 'object' OR NOT m.value ?& ARRAY['at', 'reason', 'digest'])
$$;

-- Moves of the status leave the columns named here alone, and so never come by.
CREATE FUNCTION guard_decision_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb := coalesce(NEW.erased::jsonb, '{}');
BEGIN
  PERFORM refuse_unless(
    NEW.id = OLD.id AND NEW.center_id = OLD.center_id AND NEW.evidence_id = OLD.evidence_id AND NEW.dpu_id = OLD.dpu_id
    AND NEW.source = OLD.source AND NEW.type = OLD.type AND NEW.actor_type = OLD.actor_type
    AND NEW.action_type = OLD.action_type AND NEW.content_hash = OLD.content_hash
    AND NEW.journal_index = OLD.journal_index AND NEW.expires_at IS NOT DISTINCT FROM OLD.expires_at
    AND NEW.occurred_at = OLD.occurred_at AND NEW.created_at = OLD.created_at
    AND erases_only(OLD.salts, OLD.erased, NEW.salts, NEW.erased)
    AND NEW.decision_id = CASE WHEN gone ? 'decisionId' THEN '' ELSE OLD.decision_id END
    AND NEW.actor_id = CASE WHEN gone ? 'actor.id' THEN '' ELSE OLD.actor_id END
    AND NEW.actor_name IS NOT DISTINCT FROM CASE WHEN gone ? 'actor.name' THEN NULL ELSE OLD.actor_name END
    AND NEW.action_description IS NOT DISTINCT FROM
        CASE WHEN gone ? 'action.description' THEN NULL ELSE OLD.action_description END
    AND NEW.action_input::text IS NOT DISTINCT FROM CASE WHEN gone ? 'action.input' THEN NULL ELSE OLD.action_input::text END
    AND NEW.action_output::text IS NOT DISTINCT FROM CASE WHEN gone ? 'action.output' THEN NULL ELSE OLD.action_output::text END
    AND NEW.ai_context::jsonb IS NOT DISTINCT FROM OLD.ai_context::jsonb - array(
      SELECT m FROM unnest(ARRAY['model', 'provider', 'confidence', 'reasoning']) m WHERE gone ? ('aiContext.' || m))
    AND NEW.risk_score IS NOT DISTINCT FROM CASE WHEN gone ? 'riskScore' THEN NULL ELSE OLD.risk_score END
    AND NEW.tags = CASE WHEN gone ? 'tags' THEN '{}' ELSE OLD.tags END
    -- Digests and keys of what was sent say as much as what was sent. That of a workflow names its run and step only.
    AND NEW.body_hash IS NOT DISTINCT FROM CASE WHEN gone = '{}' THEN OLD.body_hash END
    AND NEW.idempotency_key IS NOT DISTINCT FROM
        CASE WHEN gone ? 'decisionId' AND OLD.source <> 'WORKFLOW' THEN NULL ELSE OLD.idempotency_key END,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER content_stays BEFORE UPDATE OF id, center_id, decision_id, evidence_id, dpu_id, source, idempotency_key,
    body_hash, type, actor_id, actor_type, actor_name, action_type, action_description, action_input, action_output,
    ai_context, risk_score, tags, salts, erased, content_hash, journal_index, expires_at, occurred_at, created_at
  ON decision_event FOR EACH ROW EXECUTE FUNCTION guard_decision_event();

-- What is final stays final.
CREATE FUNCTION guard_final_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_unless(
    NEW.status = OLD.status AND NEW.awaits_approval = OLD.awaits_approval AND NEW.updated_at = OLD.updated_at,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;
CREATE TRIGGER final_stays BEFORE UPDATE ON decision_event FOR EACH ROW WHEN (OLD.status IN ('sealed', 'rejected'))
  EXECUTE FUNCTION guard_final_decision();

CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone jsonb := coalesce(NEW.erased::jsonb, '{}');
BEGIN
  PERFORM refuse_unless(
    NEW.id = OLD.id AND NEW.center_id = OLD.center_id AND NEW.event_id = OLD.event_id
    AND NEW.approver_type = OLD.approver_type AND NEW.result = OLD.result AND NEW.by_kind = OLD.by_kind
    AND NEW.content_hash = OLD.content_hash AND NEW.journal_index IS NOT DISTINCT FROM OLD.journal_index
    AND NEW.created_at = OLD.created_at
    AND erases_only(OLD.salts, OLD.erased, NEW.salts, NEW.erased)
    AND NEW.approver_id = CASE WHEN gone ? 'approvals.approver.id' THEN '' ELSE OLD.approver_id END
    AND NEW.approver_name IS NOT DISTINCT FROM
        CASE WHEN gone ? 'approvals.approver.name' THEN NULL ELSE OLD.approver_name END
    AND NEW.reason IS NOT DISTINCT FROM CASE WHEN gone ? 'approvals.reason' THEN NULL ELSE OLD.reason END
    AND NEW.by_id IS NOT DISTINCT FROM CASE WHEN gone ? 'approvals.by.id' THEN NULL ELSE OLD.by_id END
    AND NEW.signature::text IS NOT DISTINCT FROM
        CASE WHEN gone ? 'approvals.signature' THEN NULL ELSE OLD.signature::text END,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;

CREATE FUNCTION guard_outcome() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gone boolean := coalesce(NEW.erased::jsonb, '{}') ? 'outcome.output';
BEGIN
  PERFORM refuse_unless(
    NEW.event_id = OLD.event_id AND NEW.center_id = OLD.center_id AND NEW.status = OLD.status
    AND NEW.journal_index = OLD.journal_index AND NEW.recorded_at = OLD.recorded_at
    AND coalesce(NEW.erased::jsonb, '{}') @> coalesce(OLD.erased::jsonb, '{}')
    AND NEW.output::text IS NOT DISTINCT FROM CASE WHEN gone THEN NULL ELSE OLD.output::text END
    AND NEW.salt IS NOT DISTINCT FROM CASE WHEN gone THEN NULL ELSE OLD.salt END,
    TG_TABLE_NAME);
  RETURN NEW;
END $$;

-- Of a record only the content goes, and only that of the platform's own: a decision's holds no value in the open.
CREATE FUNCTION guard_ledger_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.chain_id = OLD.chain_id AND NEW.index = OLD.index AND NEW.hash = OLD.hash AND NEW.timestamp = OLD.timestamp
    AND NEW.previous_hash IS NOT DISTINCT FROM OLD.previous_hash AND NEW.content = '' AND EXISTS (
      SELECT FROM dpu d
      WHERE d.chain_id = OLD.chain_id AND d.index = OLD.index AND d.domain = 'platform' AND d.erased_at IS NOT NULL) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER erasure_only BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION guard_approval();
CREATE TRIGGER erasure_only BEFORE UPDATE ON outcome FOR EACH ROW EXECUTE FUNCTION guard_outcome();
CREATE TRIGGER erasure_only BEFORE UPDATE ON ledger_record FOR EACH ROW EXECUTE FUNCTION guard_ledger_record();
DO $$
DECLARE
  guarded text;
BEGIN
  FOREACH guarded IN ARRAY ARRAY['ledger_record', 'decision_event', 'approval', 'outcome'] LOOP
    EXECUTE format('CREATE TRIGGER append_only_rows BEFORE DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', guarded);
    EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', guarded);
  END LOOP;
END $$;

-- A decision never goes away and its id never changes, so an approval's reference to it need only be true when it is made, as
-- those to records (migration ledger).
CREATE FUNCTION check_event_exists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM new_rows n WHERE (SELECT e.id FROM decision_event e WHERE e.id = n.event_id) IS NULL) THEN
    RAISE EXCEPTION 'an approval needs a decision that exists' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
ALTER TABLE approval DROP CONSTRAINT approval_event_id_fkey;
CREATE TRIGGER event_exists AFTER INSERT ON approval REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_event_exists();

-- Until it is sealed, a record's level rises and notes are added. What the columns of a sealed decision repeat goes with it.
CREATE FUNCTION guard_dpu() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same boolean := NEW.id = OLD.id AND NEW.center_id = OLD.center_id AND NEW.chain_id = OLD.chain_id
    AND NEW.index = OLD.index AND NEW.domain = OLD.domain AND NEW.vertical = OLD.vertical
    AND NEW.ai_generated = OLD.ai_generated AND NEW.reference_type IS NOT DISTINCT FROM OLD.reference_type
    AND NEW.reference_id IS NOT DISTINCT FROM OLD.reference_id AND NEW.created_at = OLD.created_at;
  same_level boolean := NEW.evidence_level = OLD.evidence_level AND NEW.sealed_at IS NOT DISTINCT FROM OLD.sealed_at;
  same_mark boolean := NEW.erased_at IS NOT DISTINCT FROM OLD.erased_at
    AND NEW.erased_reason IS NOT DISTINCT FROM OLD.erased_reason;
  same_notes boolean := NEW.tags = OLD.tags AND NEW.metadata::text = OLD.metadata::text;
  same_journal boolean := NEW.salt IS NOT DISTINCT FROM OLD.salt AND NEW.journal_index IS NOT DISTINCT FROM OLD.journal_index;
  same_actor boolean := NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id;
  gone jsonb;
BEGIN
  IF OLD.domain = 'proof' THEN
    SELECT coalesce(e.erased::jsonb, '{}') || coalesce((
        SELECT a.erased::jsonb FROM approval a WHERE a.event_id = e.id AND a.journal_index IS NULL ORDER BY a.id DESC LIMIT 1), '{}')
      INTO gone FROM decision_event e WHERE e.dpu_id = OLD.id;
    PERFORM refuse_unless(
      same AND same_level AND same_mark AND same_journal
      AND NEW.tags = CASE WHEN gone ? 'tags' THEN '{}' ELSE OLD.tags END
      AND NEW.actor_id IS NOT DISTINCT FROM CASE WHEN gone ? 'approvals.approver.id' THEN NULL ELSE OLD.actor_id END
      AND NEW.metadata::jsonb = CASE WHEN gone ? 'decisionId' THEN OLD.metadata::jsonb - 'decisionId' ELSE OLD.metadata::jsonb END,
      TG_TABLE_NAME);
  ELSIF NEW.erased_at IS NOT NULL AND OLD.erased_at IS NULL THEN
    PERFORM refuse_unless(
      same AND same_level AND same_actor AND NEW.tags = '{}' AND NEW.metadata::jsonb = '{}', TG_TABLE_NAME);
  ELSIF OLD.sealed_at IS NOT NULL OR OLD.erased_at IS NOT NULL THEN
    PERFORM refuse_unless(
      same AND same_level AND same_mark AND same_notes AND same_journal AND same_actor, TG_TABLE_NAME);
  ELSE
    PERFORM refuse_unless(
      same AND same_mark AND same_actor AND NEW.tags = OLD.tags AND NEW.salt IS NOT DISTINCT FROM OLD.salt, TG_TABLE_NAME);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER sealed_stays BEFORE UPDATE ON dpu FOR EACH ROW EXECUTE FUNCTION guard_dpu();

-- What goes --------------------------------------------------------------------------------------------------------

-- Nothing of a center that the transaction has not declared, even where the owner sees everything.
CREATE FUNCTION require_declared(p_center_id int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (declared_everywhere() OR p_center_id = ANY (declared_centers())) IS NOT TRUE THEN
    RAISE EXCEPTION 'center % is not declared', p_center_id USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- Marks for members, by the digests of their disclosures.
CREATE FUNCTION erasure_marks(p_digests jsonb, p_at text, p_reason text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(d.key, jsonb_build_object('at', p_at, 'reason', p_reason, 'digest', d.value)), '{}')
  FROM jsonb_each(p_digests) d
$$;

-- Below the id of every event that tells about something: ids begin with their time, and no clock is an hour behind another.
CREATE FUNCTION first_event_about(p_id text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'msg_' || substr(p_id, strpos(p_id, '_') + 1, 4)
$$;

-- Empties what events told about some ids: every member that is not named, texts to "" and the rest to null. Deliveries
-- under way then carry the emptied form, and what consumers answered to the full one is neither kept nor written down
-- later. The events are locked first, so that nobody adds a delivery meanwhile.
CREATE FUNCTION erase_from_events(p_center_id int, p_from text, p_ids text[], p_kept text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  ids text[];
BEGIN
  SELECT array_agg(id) INTO ids FROM (
    SELECT e.id FROM platform_event e
    WHERE e.center_id = p_center_id AND e.id >= p_from
      AND EXISTS (SELECT FROM unnest(p_ids) named WHERE strpos(e.data::text, named) > 0)
    ORDER BY e.id FOR UPDATE) locked;
  UPDATE platform_event e SET data = (
    SELECT json_object_agg(m.key, CASE WHEN m.key = ANY (p_kept) THEN m.value
      WHEN json_typeof(m.value) = 'string' THEN '""' ELSE 'null' END)
    FROM json_each(e.data) m)
  WHERE e.id = ANY (ids);
  UPDATE delivery d SET erased = true WHERE d.event_id = ANY (ids);
  UPDATE delivery_attempt a SET response_body = NULL WHERE a.event_id = ANY (ids) AND a.response_body IS NOT NULL;
END $$;

-- Takes a decision out of the lists by its tags, and out of their counts. The counts are added up here, after those who add
-- them up now: one that is left at nothing goes too, since its key still tells that the tag was there.
CREATE FUNCTION erase_from_tags(event decision_event) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  keys text[] := array(SELECT DISTINCT tag_tally(event.center_id, tag) FROM unnest(event.tags) tag);
BEGIN
  WITH gone AS (
    DELETE FROM decision_event_tag t
    WHERE t.center_id = event.center_id AND t.tag = ANY (event.tags) AND t.event_id = event.id RETURNING t.tag
  )
  INSERT INTO tally_delta (key, delta) SELECT tag_tally(event.center_id, tag), -1 FROM gone;
  WITH taken AS (
    DELETE FROM tally_delta WHERE id IN (SELECT id FROM tally_delta WHERE key = ANY (keys) ORDER BY id FOR UPDATE)
    RETURNING key, delta
  )
  INSERT INTO tally AS t (key, total) SELECT key, sum(delta) FROM taken GROUP BY key ORDER BY key
  ON CONFLICT (key) DO UPDATE SET total = t.total + excluded.total;
  DELETE FROM tally WHERE key = ANY (keys) AND total = 0;
END $$;

-- Answers kept for repeats of a call that spoke of some ids. The rows stay, so that the repeat does not run the call again.
CREATE FUNCTION erase_kept_answers(p_from timestamptz, p_ids text[]) RETURNS void LANGUAGE sql AS $$
  UPDATE idempotency_record SET request_hash = '', response_body = NULL, results = '{}'
  WHERE created_at >= p_from - interval '1 hour' AND subjects && p_ids
$$;

-- Deletes members of a decision, as an entry of the journal says, which is written with it. The digests are those of the
-- members' disclosures: {event: {path: digest}, approvals: {id: {path: digest}}, outcome: {path: digest}}.
CREATE FUNCTION erase_decision(p_center_id int, p_entry text, p_timestamp text, p_digests jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry jsonb := p_entry;
  why text := entry ->> 'reason';
  marks jsonb := erasure_marks(coalesce(p_digests -> 'event', '{}'), p_timestamp, why);
  named text[];
  event decision_event;
  sealing approval;
  gone jsonb;
BEGIN
  PERFORM require_declared(p_center_id);
  SELECT * INTO event FROM decision_event e WHERE e.id = entry ->> 'eventId' AND e.center_id = p_center_id FOR UPDATE;
  IF event.id IS NULL OR event.status NOT IN ('sealed', 'rejected') THEN
    RAISE EXCEPTION 'there is no such decision that is final' USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT array_agg(DISTINCT path COLLATE "C" ORDER BY path COLLATE "C") INTO named FROM (
    SELECT jsonb_object_keys(coalesce(p_digests -> 'event', '{}')) AS path
    UNION ALL SELECT jsonb_object_keys(coalesce(p_digests -> 'outcome', '{}'))
    UNION ALL SELECT jsonb_object_keys(each.value) FROM jsonb_each(coalesce(p_digests -> 'approvals', '{}')) each) paths;
  IF (entry ->> 'kind' = 'erased' AND why IS NOT NULL AND entry -> 'fields' = to_jsonb(named)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal must say what is erased' USING ERRCODE = 'restrict_violation';
  END IF;

  -- Under another digest than the sealed one the value would be lost, and its seal with it.
  IF EXISTS (
    SELECT FROM dpu d JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index, LATERAL (
      SELECT value FROM jsonb_each_text(coalesce(p_digests -> 'event', '{}'))
      UNION ALL
      SELECT m.value FROM jsonb_each(coalesce(p_digests -> 'approvals', '{}')) a, jsonb_each_text(a.value) m) digest
    WHERE d.id = event.dpu_id AND strpos(r.content, '"' || digest.value || '"') = 0) THEN
    RAISE EXCEPTION 'this was not sealed' USING ERRCODE = 'restrict_violation';
  END IF;

  UPDATE decision_event e SET
    erased = CASE WHEN marks = '{}' THEN e.erased ELSE (coalesce(e.erased::jsonb, '{}') || marks)::json END,
    salts = (e.salts::jsonb - array(SELECT jsonb_object_keys(marks)))::json,
    decision_id = CASE WHEN marks ? 'decisionId' THEN '' ELSE decision_id END,
    idempotency_key = CASE WHEN marks ? 'decisionId' AND source <> 'WORKFLOW' THEN NULL ELSE idempotency_key END,
    body_hash = CASE WHEN marks = '{}' THEN body_hash END,
    actor_id = CASE WHEN marks ? 'actor.id' THEN '' ELSE actor_id END,
    actor_name = CASE WHEN marks ? 'actor.name' THEN NULL ELSE actor_name END,
    action_description = CASE WHEN marks ? 'action.description' THEN NULL ELSE action_description END,
    action_input = CASE WHEN marks ? 'action.input' THEN NULL ELSE action_input END,
    action_output = CASE WHEN marks ? 'action.output' THEN NULL ELSE action_output END,
    ai_context = (ai_context::jsonb - array(
      SELECT m FROM unnest(ARRAY['model', 'provider', 'confidence', 'reasoning']) m WHERE marks ? ('aiContext.' || m)))::json,
    risk_score = CASE WHEN marks ? 'riskScore' THEN NULL ELSE risk_score END,
    tags = CASE WHEN marks ? 'tags' THEN '{}' ELSE tags END
  WHERE e.id = event.id
  RETURNING coalesce(e.erased::jsonb, '{}') INTO gone;
  IF marks ? 'tags' THEN
    PERFORM erase_from_tags(event);
  END IF;

  UPDATE approval a SET
    erased = (coalesce(a.erased::jsonb, '{}') || m.marks)::json,
    salts = (a.salts::jsonb - array(SELECT jsonb_object_keys(m.marks)))::json,
    approver_id = CASE WHEN m.marks ? 'approvals.approver.id' THEN '' ELSE approver_id END,
    approver_name = CASE WHEN m.marks ? 'approvals.approver.name' THEN NULL ELSE approver_name END,
    reason = CASE WHEN m.marks ? 'approvals.reason' THEN NULL ELSE a.reason END,
    by_id = CASE WHEN m.marks ? 'approvals.by.id' THEN NULL ELSE by_id END,
    signature = CASE WHEN m.marks ? 'approvals.signature' THEN NULL ELSE signature END
  FROM (
    SELECT each.key AS id, erasure_marks(each.value, p_timestamp, why) AS marks
    FROM jsonb_each(coalesce(p_digests -> 'approvals', '{}')) each) m
  WHERE a.id = m.id AND a.event_id = event.id;

  UPDATE outcome o SET output = NULL, salt = NULL, erased = erasure_marks(p_digests -> 'outcome', p_timestamp, why)::json
  WHERE o.event_id = event.id AND p_digests -> 'outcome' ? 'outcome.output' AND o.salt IS NOT NULL;

  SELECT * INTO sealing FROM approval a
  WHERE a.event_id = event.id AND a.journal_index IS NULL ORDER BY a.id DESC LIMIT 1;
  gone := gone || coalesce(sealing.erased::jsonb, '{}');
  UPDATE dpu d SET
    tags = CASE WHEN gone ? 'tags' THEN '{}' ELSE tags END,
    actor_id = CASE WHEN gone ? 'approvals.approver.id' THEN NULL ELSE actor_id END,
    metadata = CASE WHEN gone ? 'decisionId' THEN (metadata::jsonb - 'decisionId')::json ELSE metadata END
  WHERE d.id = event.dpu_id;

  DELETE FROM prepared_approval p WHERE p.event_id = event.id AND p.center_id = p_center_id;
  PERFORM erase_from_events(p_center_id, first_event_about(event.id), ARRAY[event.id, event.dpu_id],
    ARRAY['eventId', 'actionType', 'autonomous', 'reason', 'dpuId', 'chainHash', 'domain', 'valid', 'chainLength',
          'brokenAt', 'workflowId', 'executionId']
    || CASE WHEN gone ? 'decisionId' THEN '{}' ELSE ARRAY['decisionId'] END
    || CASE WHEN gone ? 'actor.id' THEN '{}' ELSE ARRAY['agentId'] END
    || CASE WHEN gone ? 'riskScore' THEN '{}' ELSE ARRAY['riskScore'] END
    || CASE WHEN gone ? 'approvals.approver.id' THEN '{}' ELSE ARRAY['actorId'] END);
  PERFORM erase_kept_answers(event.created_at, ARRAY[event.id, event.dpu_id]);
  -- The step of a workflow that recorded it.
  IF event.source = 'WORKFLOW' THEN
    UPDATE workflow_step_run r SET input = NULL, output = json_build_object('eventId', event.id)
    WHERE r.kind = 'record_decision' AND r.execution_id = split_part(event.idempotency_key, ':', 1)
      AND r.position = split_part(event.idempotency_key, ':', 2)::int;
  END IF;
  PERFORM ledger_append(ledger_chain_for(p_center_id, 'journal'), ARRAY[p_entry], p_timestamp);
END $$;

-- Deletes the content of a platform record and what repeats it: its notes, the attendance, certificate or run that it is
-- the record of. Two entries go on the journal: that it was erased, and what its row holds now.
CREATE FUNCTION erase_dpu_content(p_center_id int, p_entry text, p_dpu_entry text, p_salt text, p_timestamp text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry jsonb := p_entry;
  d dpu;
  place int;
BEGIN
  PERFORM require_declared(p_center_id);
  SELECT * INTO d FROM dpu WHERE dpu.id = entry ->> 'dpuId' AND dpu.center_id = p_center_id FOR UPDATE;
  IF d.id IS NULL OR d.domain <> 'platform' OR d.erased_at IS NOT NULL THEN
    RAISE EXCEPTION 'there is no such platform record with a content' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (entry ->> 'kind' = 'erased' AND entry ->> 'reason' IS NOT NULL AND entry -> 'fields' = '["content"]') IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal must say what is erased' USING ERRCODE = 'restrict_violation';
  END IF;
  DELETE FROM attendance a WHERE a.center_id = p_center_id AND a.id = d.reference_id AND a.dpu_id = d.id;
  DELETE FROM certificate c WHERE c.center_id = p_center_id AND c.id = d.reference_id AND c.dpu_id = d.id;
  UPDATE workflow_execution x SET parameters = '{}', error = NULL WHERE x.center_id = p_center_id AND x.dpu_id = d.id;
  UPDATE workflow_step_run r SET input = NULL, output = NULL, error = NULL
  FROM workflow_execution x WHERE x.center_id = p_center_id AND x.dpu_id = d.id AND r.execution_id = x.id;
  PERFORM erase_from_events(p_center_id, first_event_about(d.id),
    ARRAY[d.id] || CASE WHEN d.reference_type = 'workflow-execution' THEN ARRAY[d.reference_id] ELSE '{}' END,
    ARRAY['dpuId', 'chainHash', 'domain', 'actorId', 'valid', 'chainLength', 'brokenAt', 'attendanceId', 'certificateId',
          'occurredAt', 'issuedAt', 'workflowId', 'executionId', 'from', 'to']);
  PERFORM erase_kept_answers(d.created_at, ARRAY[d.id]);

  SELECT max(a.index) INTO place
  FROM ledger_append(ledger_chain_for(p_center_id, 'journal'), ARRAY[p_entry, p_dpu_entry], p_timestamp) a;

  UPDATE dpu SET erased_at = p_timestamp::timestamptz, erased_reason = entry ->> 'reason', metadata = '{}', tags = '{}',
                 salt = p_salt, journal_index = place
  WHERE dpu.id = d.id RETURNING * INTO d;
  IF (p_dpu_entry::jsonb ->> 'kind' = 'dpu' AND p_dpu_entry::jsonb #>> '{changed,0,digest}' = dpu_digest(d)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal must say what the row holds' USING ERRCODE = 'restrict_violation';
  END IF;
  UPDATE ledger_record r SET content = '' WHERE r.chain_id = d.chain_id AND r.index = d.index;
END $$;

-- Only these two are for the application; nobody else calls any of them.
REVOKE EXECUTE ON FUNCTION erase_decision(int, text, text, jsonb), erase_dpu_content(int, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_decision(int, text, text, jsonb), erase_dpu_content(int, text, text, text, text) TO countersign_app;
