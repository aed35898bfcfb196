-- The Idempotency-Key of an agent's decision belongs to the API key that sent it. Keys of other decisions belong to the center.
-- NULLS NOT DISTINCT: those have no fourth column, and neither have agents' decisions from before authors were stored.
DROP INDEX decision_event_idempotency_key;
CREATE UNIQUE INDEX decision_event_idempotency_key
  ON decision_event (center_id, source, idempotency_key, (CASE WHEN source = 'AGENT' THEN by_id END)) NULLS NOT DISTINCT
  WHERE idempotency_key IS NOT NULL;
