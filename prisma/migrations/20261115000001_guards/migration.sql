-- What models cannot say: extensions, constraints, append-only guards, and the functions of the hash chains.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Counters that may be lost in a crash need no write-ahead log.
ALTER TABLE rate_counter SET UNLOGGED;

-- One open membership for each person and center; ended and rejected ones stay as history.
CREATE UNIQUE INDEX membership_open_key ON membership (center_id, actor_id)
  WHERE status NOT IN ('ENDED', 'REJECTED');

-- Two bookings can never overlap for one instructor, whatever the concurrency.
ALTER TABLE booking ADD CONSTRAINT booking_ends_after_start CHECK (ends_at > starts_at);
ALTER TABLE booking ADD CONSTRAINT booking_no_overlap
  EXCLUDE USING gist (instructor_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status = 'BOOKED');
ALTER TABLE availability_rule ADD CONSTRAINT availability_rule_sane CHECK (
  weekday BETWEEN 1 AND 7 AND start_minute >= 0 AND end_minute <= 1440 AND start_minute < end_minute AND slot_minutes > 0);

-- Typo-tolerant search.
CREATE INDEX center_search_idx ON center USING gin (lower(name) gin_trgm_ops, lower(description) gin_trgm_ops, center_domain gin_trgm_ops)
  WHERE status = 'ACTIVE';

-- Filter of decision events by tag, inside one center.
CREATE INDEX decision_event_tags_idx ON decision_event USING gin (center_id, tags);

-- Fan-out looks only at subscriptions that can receive.
CREATE INDEX webhook_active_idx ON webhook (center_id) WHERE active AND deleted_at IS NULL;

-- Timed workflows whose moment has come.
CREATE INDEX workflow_due_idx ON workflow (next_run_at)
  WHERE type = 'SCHEDULED' AND status = 'ACTIVE' AND deleted_at IS NULL;
CREATE INDEX workflow_event_idx ON workflow (center_id)
  WHERE type = 'EVENT' AND status = 'ACTIVE' AND deleted_at IS NULL;

-- Hash chains ----------------------------------------------------------------------------------------------------

CREATE UNIQUE INDEX ledger_chain_center_domain_key ON ledger_chain (center_id, domain) NULLS NOT DISTINCT;

-- A second child of the same record would be a fork.
CREATE UNIQUE INDEX ledger_record_previous_key ON ledger_record (chain_id, previous_hash) NULLS NOT DISTINCT;
ALTER TABLE ledger_record
  ADD CONSTRAINT ledger_record_chain_fkey FOREIGN KEY (chain_id) REFERENCES ledger_chain (id),
  ADD CONSTRAINT ledger_record_genesis CHECK ((index = 0) = (previous_hash IS NULL)),
  ADD CONSTRAINT ledger_record_form CHECK (
    hash ~ '^[0-9a-f]{64}$' AND (previous_hash IS NULL OR previous_hash ~ '^[0-9a-f]{64}$') AND length(timestamp) = 24);

-- The chain of a center and domain; its head row is made with it.
CREATE FUNCTION ledger_chain_for(p_center_id int, p_domain chain_domain) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  found int;
BEGIN
  SELECT id INTO found FROM ledger_chain WHERE center_id IS NOT DISTINCT FROM p_center_id AND domain = p_domain;
  IF found IS NULL THEN
    INSERT INTO ledger_chain (center_id, domain) VALUES (p_center_id, p_domain) ON CONFLICT DO NOTHING;
    SELECT id INTO found FROM ledger_chain WHERE center_id IS NOT DISTINCT FROM p_center_id AND domain = p_domain;
  END IF;
  RETURN found;
END $$;

-- Appends contents to a chain in the order given. The head row is locked from here to the end of the transaction, so
-- links never fork and never leave a gap; whoever calls it should commit soon.
CREATE FUNCTION ledger_append(p_chain_id int, p_contents text[], p_timestamp text)
RETURNS TABLE (chain_id int, index int, hash text, previous_hash text)
LANGUAGE plpgsql AS $$
DECLARE
  first_index int;
  head text;
  content text;
  hashes text[] := '{}';
  previous text[] := '{}';
BEGIN
  SELECT c.size, c.head_hash INTO STRICT first_index, head FROM ledger_chain c WHERE c.id = p_chain_id FOR UPDATE;
  FOREACH content IN ARRAY p_contents LOOP
    previous := previous || head;
    head := encode(sha256(convert_to(content || coalesce(head, '') || p_timestamp, 'UTF8')), 'hex');
    hashes := hashes || head;
  END LOOP;
  UPDATE ledger_chain c SET size = c.size + cardinality(p_contents), head_hash = head WHERE c.id = p_chain_id;
  RETURN QUERY
    INSERT INTO ledger_record AS r (chain_id, index, content, previous_hash, hash, timestamp)
    SELECT p_chain_id, first_index + e.place::int - 1, e.content, e.previous_hash, e.hash, p_timestamp
    FROM unnest(p_contents, previous, hashes) WITH ORDINALITY AS e(content, previous_hash, hash, place)
    RETURNING r.chain_id, r.index, r.hash, r.previous_hash;
END $$;

-- Append-only ----------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
  guarded text;
BEGIN
  FOREACH guarded IN ARRAY ARRAY[
    'ledger_record', 'ledger_node', 'checkpoint', 'audit_entry', 'policy_version', 'workflow_version', 'approval'
  ] LOOP
    EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', guarded);
    EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', guarded);
  END LOOP;
END $$;

-- A chain's head only moves forward, and a chain never goes away.
CREATE FUNCTION guard_chain_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.size > OLD.size AND NEW.id = OLD.id
     AND NEW.center_id IS NOT DISTINCT FROM OLD.center_id AND NEW.domain = OLD.domain THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'ledger_chain only grows: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER chain_only_grows BEFORE UPDATE OR DELETE ON ledger_chain FOR EACH ROW EXECUTE FUNCTION guard_chain_head();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON ledger_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
