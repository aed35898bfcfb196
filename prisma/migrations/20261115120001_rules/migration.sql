-- What models cannot say about single tables: constraints, partial indexes, rows that are always there.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Counters that may be lost in a crash need no write-ahead log.
ALTER TABLE rate_counter SET UNLOGGED;

-- Memberships and bookings -----------------------------------------------------------------------------------------

-- One open membership for each person and center; ended and rejected ones stay as history.
CREATE UNIQUE INDEX membership_open_key ON membership (center_id, actor_id)
  WHERE status NOT IN ('ENDED', 'REJECTED');
-- One open invitation for each address and center. Whoever has said yes is somebody.
CREATE UNIQUE INDEX membership_invited_key ON membership (center_id, invited_email) WHERE status = 'INVITED';
ALTER TABLE membership ADD CONSTRAINT membership_of_somebody
  CHECK (status IN ('INVITED', 'REJECTED') OR actor_id IS NOT NULL);

-- Two bookings can never overlap for one instructor, whatever the concurrency.
ALTER TABLE booking ADD CONSTRAINT booking_ends_after_start CHECK (ends_at > starts_at);
ALTER TABLE booking ADD CONSTRAINT booking_no_overlap
  EXCLUDE USING gist (instructor_id WITH =, tstzrange(starts_at, ends_at) WITH &&) WHERE (status = 'BOOKED');
ALTER TABLE availability_rule ADD CONSTRAINT availability_rule_sane CHECK (
  weekday BETWEEN 1 AND 7 AND start_minute >= 0 AND end_minute <= 1440 AND start_minute < end_minute AND slot_minutes > 0);

-- Decision events --------------------------------------------------------------------------------------------------

-- Most events have no idempotency key, and recording pays for each index.
CREATE UNIQUE INDEX decision_event_idempotency_key ON decision_event (center_id, source, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

-- Webhooks and workflows -------------------------------------------------------------------------------------------

-- Fan-out looks only at subscriptions that can receive.
CREATE INDEX webhook_active_idx ON webhook (center_id) WHERE active AND deleted_at IS NULL;

-- A delivery is made together with its event, for a webhook that is in use; both go away long after, when nothing is under way.
-- So it is enough to look at each end once a statement. Foreign keys would look for every row, and lock webhooks that the
-- workers are busy with.
ALTER TABLE delivery DROP CONSTRAINT delivery_webhook_id_fkey, DROP CONSTRAINT delivery_event_id_fkey;
CREATE FUNCTION check_delivery_references() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM new_rows n WHERE (SELECT w.id FROM webhook w WHERE w.id = n.webhook_id) IS NULL
             OR (SELECT e.id FROM platform_event e WHERE e.id = n.event_id) IS NULL) THEN
    RAISE EXCEPTION 'a delivery needs a webhook and an event that exist' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER references_exist AFTER INSERT ON delivery REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_delivery_references();

CREATE FUNCTION refuse_while_delivered() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  still boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM old_rows o JOIN delivery d ON d.%I = o.id)', TG_ARGV[0]) INTO still;
  IF still THEN
    RAISE EXCEPTION '% with deliveries cannot be deleted', TG_TABLE_NAME USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER no_deliveries_left AFTER DELETE ON webhook REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_delivered('webhook_id');
CREATE TRIGGER no_deliveries_left AFTER DELETE ON platform_event REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_delivered('event_id');

-- Timed workflows whose moment has come, and those that wait for events.
CREATE INDEX workflow_due_idx ON workflow (next_run_at)
  WHERE type = 'SCHEDULED' AND status = 'ACTIVE' AND deleted_at IS NULL;
CREATE INDEX workflow_event_idx ON workflow (center_id)
  WHERE type = 'EVENT' AND status = 'ACTIVE' AND deleted_at IS NULL;

-- Runs whose runner has gone silent.
CREATE INDEX workflow_execution_lease_idx ON workflow_execution (lease_until) WHERE status = 'RUNNING' AND lease_until IS NOT NULL;

-- What the forgetting of old events asks: does a run under way still need this one, and which webhooks were deleted?
CREATE INDEX workflow_execution_open_idx ON workflow_execution (started_by) WHERE status IN ('RUNNING', 'AWAITING_REVIEW');
CREATE INDEX webhook_deleted_idx ON webhook (deleted_at) WHERE deleted_at IS NOT NULL;

-- Audit ------------------------------------------------------------------------------------------------------------

-- Most entries are of no partner, and every entry pays for each index.
CREATE INDEX audit_entry_partner_idx ON audit_entry (partner_id, occurred_at DESC, id DESC) WHERE partner_id IS NOT NULL;

-- A center and its partner -----------------------------------------------------------------------------------------

-- Rows that hang on a center carry its partner, so a center stays with its partner for good.
CREATE FUNCTION refuse_partner_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'center % cannot change its partner', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER partner_stays BEFORE UPDATE OF partner_id ON center FOR EACH ROW
  WHEN (OLD.partner_id IS DISTINCT FROM NEW.partner_id) EXECUTE FUNCTION refuse_partner_change();

CREATE FUNCTION fill_in_partner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.partner_id := (SELECT c.partner_id FROM center c WHERE c.id = NEW.center_id);
  RETURN NEW;
END $$;
CREATE TRIGGER partner_of_center BEFORE INSERT OR UPDATE OF center_id, partner_id ON membership
  FOR EACH ROW EXECUTE FUNCTION fill_in_partner();
CREATE TRIGGER partner_of_center BEFORE INSERT OR UPDATE OF center_id, partner_id ON payment
  FOR EACH ROW EXECUTE FUNCTION fill_in_partner();

-- Plans ------------------------------------------------------------------------------------------------------------

-- One currency for all plans, so that a partner's revenue adds up.
ALTER TABLE plan ADD CONSTRAINT plan_one_currency CHECK (currency = 'EUR');

INSERT INTO plan (id, kind, name, vertical, price_monthly, currency, seat_limit, features, sort_order) VALUES
  ('center-starter', 'CENTER', 'Starter', NULL, 2900, 'EUR', 10,
    ARRAY['decision records', 'chain verification', 'booking'], 10),
  ('center-growth', 'CENTER', 'Growth', NULL, 9900, 'EUR', 50,
    ARRAY['decision records', 'chain verification', 'booking', 'proof api', 'webhooks', 'workflows'], 20),
  ('center-care', 'CENTER', 'Care', 'rehabilitation', 14900, 'EUR', 100,
    ARRAY['decision records', 'chain verification', 'booking', 'proof api', 'webhooks', 'workflows', 'therapy plans'], 30),
  ('center-enterprise', 'CENTER', 'Enterprise', NULL, 39900, 'EUR', 1000,
    ARRAY['decision records', 'chain verification', 'booking', 'proof api', 'webhooks', 'workflows', 'white label', 'priority support'], 40),
  ('lms-basic', 'LMS', 'Learning Basic', NULL, 1900, 'EUR', 100,
    ARRAY['courses', 'attendance'], 10),
  ('lms-pro', 'LMS', 'Learning Pro', NULL, 5900, 'EUR', 1000,
    ARRAY['courses', 'attendance', 'certificates', 'assessments'], 20);

-- Policies ---------------------------------------------------------------------------------------------------------

-- The policy below all others, always there. It holds back only what an agent itself calls very risky.
INSERT INTO policy (id, scope, name, action_pattern, version, guards)
VALUES ('pol_baseline', 'GLOBAL', 'Baseline', '*', 1, '{"riskThreshold": 0.8, "approverAuthentication": "ASSERTED"}');
INSERT INTO policy_version (policy_id, version, name, action_pattern, guards, active)
SELECT id, version, name, action_pattern, guards, active FROM policy;

-- It may be changed, version by version, but not switched off, narrowed or removed.
CREATE FUNCTION guard_baseline_policy() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.id = OLD.id AND NEW.active AND NEW.scope = 'GLOBAL' AND NEW.action_pattern = '*' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the baseline policy always exists: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER baseline_stays BEFORE UPDATE OR DELETE ON policy FOR EACH ROW
  WHEN (OLD.id = 'pol_baseline') EXECUTE FUNCTION guard_baseline_policy();
