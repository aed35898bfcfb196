-- Recording an event pays for each index: no query goes by decision, and most events have no idempotency key.
DROP INDEX "decision_event_center_id_decision_id_idx";
DROP INDEX "decision_event_center_id_source_idempotency_key_key";
CREATE UNIQUE INDEX decision_event_idempotency_key ON decision_event (center_id, source, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
