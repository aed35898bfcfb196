-- Erasure: these functions do what the role of the service may not do itself, and check what must hold even if its code is wrong:
-- the center is declared, the decision is final, the digests are those that were sealed, and the journal names what is erased.
-- Which copies go with it is decided in src/domain/proof/erasure.ts and src/domain/dpus/erase-content.ts.
DROP FUNCTION erase_decision(int, text, text, jsonb);
DROP FUNCTION erase_dpu_content(int, text, text, text, text);
DROP FUNCTION erase_kept_answers(timestamptz, text[]);
DROP FUNCTION first_event_about(text);

-- Deletes members of a decision and appends the entry of the journal. The digests are those of the members' disclosures:
-- {event: {path: digest}, approvals: {id: {path: digest}}, outcome: {path: digest}}.
CREATE FUNCTION erase_decision_members(p_center_id int, p_entry text, p_timestamp text, p_digests jsonb) RETURNS void
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
    RAISE EXCEPTION 'the decision is not final or does not exist' USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT array_agg(DISTINCT path COLLATE "C" ORDER BY path COLLATE "C") INTO named FROM (
    SELECT jsonb_object_keys(coalesce(p_digests -> 'event', '{}')) AS path
    UNION ALL SELECT jsonb_object_keys(coalesce(p_digests -> 'outcome', '{}'))
    UNION ALL SELECT jsonb_object_keys(each.value) FROM jsonb_each(coalesce(p_digests -> 'approvals', '{}')) each) paths;
  IF (entry ->> 'kind' = 'erased' AND why IS NOT NULL AND entry -> 'fields' = to_jsonb(named)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal entry does not name what is erased' USING ERRCODE = 'restrict_violation';
  END IF;
  -- Under another digest than the sealed one the value would be lost, and its seal with it.
  IF EXISTS (
    SELECT FROM dpu d JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index, LATERAL (
      SELECT value FROM jsonb_each_text(coalesce(p_digests -> 'event', '{}'))
      UNION ALL
      SELECT m.value FROM jsonb_each(coalesce(p_digests -> 'approvals', '{}')) a, jsonb_each_text(a.value) m) digest
    WHERE d.id = event.dpu_id AND strpos(r.content, '"' || digest.value || '"') = 0) THEN
    RAISE EXCEPTION 'a digest was not sealed' USING ERRCODE = 'restrict_violation';
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
  PERFORM ledger_append(ledger_chain_for(p_center_id, 'journal'), ARRAY[p_entry], p_timestamp);
END $$;

-- Deletes the content of a platform record, with the attendance or certificate that it is the record of. Two entries go on the
-- journal: that it was erased, and what its row holds now.
CREATE FUNCTION erase_record_content(p_center_id int, p_entry text, p_dpu_entry text, p_salt text, p_timestamp text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry jsonb := p_entry;
  d dpu;
  place int;
BEGIN
  PERFORM require_declared(p_center_id);
  SELECT * INTO d FROM dpu WHERE dpu.id = entry ->> 'dpuId' AND dpu.center_id = p_center_id FOR UPDATE;
  IF d.id IS NULL OR d.domain <> 'platform' OR d.erased_at IS NOT NULL THEN
    RAISE EXCEPTION 'the platform record has no content or does not exist' USING ERRCODE = 'restrict_violation';
  END IF;
  IF (entry ->> 'kind' = 'erased' AND entry ->> 'reason' IS NOT NULL AND entry -> 'fields' = '["content"]') IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal entry does not name what is erased' USING ERRCODE = 'restrict_violation';
  END IF;
  DELETE FROM attendance a WHERE a.center_id = p_center_id AND a.id = d.reference_id AND a.dpu_id = d.id;
  DELETE FROM certificate c WHERE c.center_id = p_center_id AND c.id = d.reference_id AND c.dpu_id = d.id;

  SELECT max(a.index) INTO place
  FROM ledger_append(ledger_chain_for(p_center_id, 'journal'), ARRAY[p_entry, p_dpu_entry], p_timestamp) a;
  UPDATE dpu SET erased_at = p_timestamp::timestamptz, erased_reason = entry ->> 'reason', metadata = '{}', tags = '{}',
                 salt = p_salt, journal_index = place
  WHERE dpu.id = d.id RETURNING * INTO d;
  IF (p_dpu_entry::jsonb ->> 'kind' = 'dpu' AND p_dpu_entry::jsonb #>> '{changed,0,digest}' = dpu_digest(d)) IS NOT TRUE THEN
    RAISE EXCEPTION 'the journal entry does not match the row' USING ERRCODE = 'restrict_violation';
  END IF;
  UPDATE ledger_record r SET content = '' WHERE r.chain_id = d.chain_id AND r.index = d.index;
END $$;

-- Empties the members of events about some ids, except those in p_kept, also in archived weeks. The role of the service may delete
-- events, but not change them. The events are locked first, so that no delivery is added meanwhile.
ALTER FUNCTION erase_from_events(int, text, text[], text[]) RENAME TO empty_events;
CREATE FUNCTION erase_from_events(p_center_id int, p_from text, p_ids text[], p_kept text[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM require_declared(p_center_id);
  PERFORM empty_events(p_center_id, p_from, p_ids, p_kept);
END $$;

REVOKE EXECUTE ON FUNCTION erase_decision_members(int, text, text, jsonb), erase_record_content(int, text, text, text, text),
  erase_from_events(int, text, text[], text[]), empty_events(int, text, text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_decision_members(int, text, text, jsonb), erase_record_content(int, text, text, text, text),
  erase_from_events(int, text, text[], text[]) TO countersign_app;
