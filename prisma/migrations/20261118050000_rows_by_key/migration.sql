-- The triggers that count stored bytes find each related row by its key. As a join, the plan was made while the other table was
-- small and kept by the connection: it read the whole table, and every seal took longer than the one before. A subquery that
-- refers to the outer row cannot become such a join.

CREATE OR REPLACE FUNCTION count_dpu_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || d.center_id, sum(
    octet_length(d.metadata::text) + octet_length(d.tags::text) + coalesce((
      SELECT octet_length(r.content) FROM ledger_record r WHERE r.chain_id = d.chain_id AND r.index = d.index), 0))
  FROM new_rows d GROUP BY d.center_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_workflow_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || v.center_id, sum(v.bytes)
  FROM (
    SELECT (SELECT w.center_id FROM workflow w WHERE w.id = n.workflow_id) AS center_id,
      octet_length(n.steps::text) + coalesce(octet_length(n.parameters_schema::text), 0) AS bytes
    FROM new_rows n
  ) v GROUP BY v.center_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION count_step_run_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'storage:' || s.center_id, sum(s.change)
    FROM (
      SELECT (SELECT e.center_id FROM workflow_execution e WHERE e.id = n.execution_id) AS center_id,
        step_run_bytes(n.input, n.output) AS change
      FROM new_rows n
    ) s GROUP BY s.center_id HAVING sum(s.change) <> 0;
  ELSE
    INSERT INTO tally_delta (key, delta)
    SELECT 'storage:' || s.center_id, sum(s.change)
    FROM (
      SELECT (SELECT e.center_id FROM workflow_execution e WHERE e.id = n.execution_id) AS center_id,
        step_run_bytes(n.input, n.output) AS change
      FROM new_rows n
      UNION ALL
      SELECT (SELECT e.center_id FROM workflow_execution e WHERE e.id = o.execution_id), -step_run_bytes(o.input, o.output)
      FROM old_rows o
    ) s GROUP BY s.center_id HAVING sum(s.change) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Batches are small. With the default of 1,000 rows, recording joined the links of a batch to all chains of the installation.
ALTER FUNCTION ledger_link(text, text[], text) ROWS 10;
ALTER FUNCTION ledger_append_each(int[], int[], text[], text) ROWS 10;
