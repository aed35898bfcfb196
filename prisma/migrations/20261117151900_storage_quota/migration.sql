-- How many bytes a center has stored, for its quota (src/domain/limits/storage.ts). Like the other tallies they are added up
-- by statement triggers, so no path can forget them, and no row is contended. What is erased later stays counted.

CREATE FUNCTION count_decision_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || center_id, sum(
    octet_length(action_type) + coalesce(octet_length(action_description), 0)
    + coalesce(octet_length(action_input::text), 0) + coalesce(octet_length(action_output::text), 0)
    + coalesce(octet_length(ai_context::text), 0) + octet_length(salts::text) + octet_length(tags::text))
  FROM new_rows GROUP BY center_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bytes AFTER INSERT ON decision_event REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_decision_bytes();

-- A decision proof unit takes its own row and the record behind it.
CREATE FUNCTION count_dpu_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || d.center_id, sum(
    octet_length(d.metadata::text) + octet_length(d.tags::text) + coalesce(octet_length(r.content), 0))
  FROM new_rows d LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index GROUP BY d.center_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bytes AFTER INSERT ON dpu REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_dpu_bytes();

CREATE FUNCTION count_workflow_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || w.center_id, sum(
    octet_length(v.steps::text) + coalesce(octet_length(v.parameters_schema::text), 0))
  FROM new_rows v JOIN workflow w ON w.id = v.workflow_id GROUP BY w.center_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bytes AFTER INSERT ON workflow_version REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_workflow_bytes();

CREATE FUNCTION count_execution_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || center_id, sum(octet_length(parameters::text)) FROM new_rows GROUP BY center_id;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bytes AFTER INSERT ON workflow_execution REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_execution_bytes();

CREATE FUNCTION step_run_bytes(input json, output json) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(octet_length(input::text), 0) + coalesce(octet_length(output::text), 0)
$$;
CREATE FUNCTION count_step_run_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'storage:' || e.center_id, sum(step_run_bytes(s.input, s.output))
    FROM new_rows s JOIN workflow_execution e ON e.id = s.execution_id
    GROUP BY e.center_id HAVING sum(step_run_bytes(s.input, s.output)) <> 0;
  ELSE
    INSERT INTO tally_delta (key, delta)
    SELECT 'storage:' || e.center_id, sum(s.change)
    FROM (
      SELECT execution_id, step_run_bytes(input, output) AS change FROM new_rows
      UNION ALL
      SELECT execution_id, -step_run_bytes(input, output) FROM old_rows
    ) s JOIN workflow_execution e ON e.id = s.execution_id
    GROUP BY e.center_id HAVING sum(s.change) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_bytes_inserted AFTER INSERT ON workflow_step_run REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_step_run_bytes();
CREATE TRIGGER count_bytes_updated AFTER UPDATE ON workflow_step_run
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_step_run_bytes();

-- What is stored already.
SET LOCAL cs.centers = '*';
INSERT INTO tally (key, total)
SELECT 'storage:' || center_id, sum(bytes) FROM (
  SELECT center_id, octet_length(action_type) + coalesce(octet_length(action_description), 0)
    + coalesce(octet_length(action_input::text), 0) + coalesce(octet_length(action_output::text), 0)
    + coalesce(octet_length(ai_context::text), 0) + octet_length(salts::text) + octet_length(tags::text) AS bytes
  FROM decision_event
  UNION ALL
  SELECT d.center_id, octet_length(d.metadata::text) + octet_length(d.tags::text) + coalesce(octet_length(r.content), 0)
  FROM dpu d LEFT JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  UNION ALL
  SELECT w.center_id, octet_length(v.steps::text) + coalesce(octet_length(v.parameters_schema::text), 0)
  FROM workflow_version v JOIN workflow w ON w.id = v.workflow_id
  UNION ALL
  SELECT center_id, octet_length(parameters::text) FROM workflow_execution
  UNION ALL
  SELECT e.center_id, step_run_bytes(s.input, s.output)
  FROM workflow_step_run s JOIN workflow_execution e ON e.id = s.execution_id
) stored GROUP BY center_id;
