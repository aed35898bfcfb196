-- The size of the large members, so that a reader knows it before it reads them. Null without large members, and in decisions
-- of earlier versions, whose size is computed when it is needed.
ALTER TABLE "decision_event" ADD COLUMN "large_bytes" INTEGER;

CREATE OR REPLACE FUNCTION count_decision_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'storage:' || center_id, sum(
    octet_length(content::text) + coalesce(large_bytes, octet_length(large::text), 0) + octet_length(salts::text))
  FROM new_rows GROUP BY center_id;
  RETURN NULL;
END $$;
