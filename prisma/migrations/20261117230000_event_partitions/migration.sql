-- Events, their deliveries and the attempts lie in one partition a week. Ids begin with their time, so a range of ids is a range of
-- time: the keys stay what they were, and retention drops whole weeks instead of deleting row by row.
--
-- Partitions lie in the schema "partitions", where the application has no rights: it reaches them through the tables in public,
-- whose policies and rights hold. Detached weeks lie in the schema "archive" (npm run partitions).

SET LOCAL cs.centers = '*';

CREATE SCHEMA partitions;
CREATE SCHEMA archive;

-- The smallest id of a kind that can be made at a moment, as firstIdAt in src/lib/ids.ts.
CREATE FUNCTION first_id_at(prefix text, moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + (((extract(epoch FROM moment) * 1000)::bigint * 256 >> (5 * digit)) & 31)::int, 1), '' ORDER BY digit DESC)
  FROM generate_series(0, 9) AS digit
$$;

-- The tables, in the order in which everybody locks them, and the column with the event's id.
CREATE FUNCTION event_tables() RETURNS TABLE (name text, key text, place int) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('platform_event', 'id', 1), ('delivery', 'event_id', 2), ('delivery_attempt', 'event_id', 3)
$$;

-- The new tables ---------------------------------------------------------------------------------------------------

ALTER TABLE delivery_attempt DROP CONSTRAINT delivery_attempt_webhook_id_event_id_fkey;
DROP TRIGGER references_exist ON delivery;
DROP TRIGGER no_deliveries_left ON platform_event;
DROP POLICY declared ON delivery_attempt;
DROP POLICY declared ON delivery;
DROP POLICY declared ON platform_event;

DO $$
DECLARE
  old record;
BEGIN
  FOR old IN SELECT * FROM event_tables() LOOP
    EXECUTE format('REVOKE ALL ON %I FROM countersign_app', old.name);
    -- Without policies not even the owner would see the rows that are to be kept.
    EXECUTE format('ALTER TABLE %I DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY', old.name);
    EXECUTE format('ALTER TABLE %I SET SCHEMA partitions', old.name);
    EXECUTE format('CREATE TABLE public.%1$I (LIKE partitions.%1$I INCLUDING DEFAULTS) PARTITION BY RANGE (%2$I)', old.name, old.key);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', old.name);
  END LOOP;
END $$;

ALTER TABLE platform_event ADD CONSTRAINT platform_event_pkey PRIMARY KEY (id);
CREATE INDEX platform_event_center_id_id_idx ON platform_event (center_id, id DESC);
CREATE INDEX platform_event_created_at_idx ON platform_event (created_at);
ALTER TABLE delivery ADD CONSTRAINT delivery_pkey PRIMARY KEY (webhook_id, event_id);
CREATE INDEX delivery_event_id_idx ON delivery (event_id);
ALTER TABLE delivery_attempt ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (webhook_id, event_id, number);

CREATE POLICY declared ON platform_event
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
CREATE POLICY declared ON delivery
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
-- A delivery has the center of its webhook. Looked for among the deliveries, every week would be opened.
CREATE POLICY declared ON delivery_attempt
  USING ((SELECT declared_everywhere()) OR EXISTS (SELECT FROM webhook w WHERE w.id = webhook_id));

GRANT SELECT, INSERT, DELETE, UPDATE (id) ON platform_event TO countersign_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON delivery TO countersign_app;
GRANT SELECT, INSERT ON delivery_attempt TO countersign_app;

-- References -------------------------------------------------------------------------------------------------------

-- Planned with the ids at hand, so that only the partitions of these events are opened.
CREATE OR REPLACE FUNCTION check_delivery_references() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  oldest text;
  newest text;
BEGIN
  SELECT min(n.event_id), max(n.event_id) INTO oldest, newest FROM new_rows n;
  IF oldest IS NOT NULL
     AND EXISTS (SELECT FROM new_rows n WHERE (SELECT w.id FROM webhook w WHERE w.id = n.webhook_id) IS NULL
       OR (SELECT e.id FROM platform_event e WHERE e.id = n.event_id AND e.id BETWEEN oldest AND newest) IS NULL) THEN
    RAISE EXCEPTION 'a delivery needs a webhook and an event that exist' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER references_exist AFTER INSERT ON delivery REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_delivery_references();
CREATE TRIGGER no_deliveries_left AFTER DELETE ON platform_event REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_delivered('event_id');

-- A foreign key would be checked for every row, and a week of deliveries could not be dropped without reading all attempts.
CREATE FUNCTION check_attempt_references() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  oldest text;
  newest text;
BEGIN
  SELECT min(n.event_id), max(n.event_id) INTO oldest, newest FROM new_rows n;
  IF oldest IS NOT NULL AND EXISTS (
    SELECT FROM new_rows n WHERE (
      SELECT d.event_id FROM delivery d
      WHERE d.webhook_id = n.webhook_id AND d.event_id = n.event_id AND d.event_id BETWEEN oldest AND newest) IS NULL) THEN
    RAISE EXCEPTION 'an attempt needs a delivery that exists' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER references_exist AFTER INSERT ON delivery_attempt REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_attempt_references();

-- Declares all centers and answers what was declared before. Functions put that back: a setting of the function itself would ask for a
-- right that the owner lacks.
CREATE FUNCTION declare_all_centers() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  declared text := coalesce(current_setting('cs.centers', true), '');
BEGIN
  PERFORM set_config('cs.centers', '*', true);
  RETURN declared;
END $$;

-- As the owner, because the application deletes no attempts by itself, and with all centers declared, because the deliveries by
-- which attempts are seen are gone.
CREATE FUNCTION delete_attempts() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  declared text := declare_all_centers();
  oldest text;
  newest text;
BEGIN
  SELECT min(o.event_id), max(o.event_id) INTO oldest, newest FROM old_rows o;
  IF oldest IS NOT NULL THEN
    DELETE FROM delivery_attempt a USING old_rows o
    WHERE a.webhook_id = o.webhook_id AND a.event_id = o.event_id AND a.event_id BETWEEN oldest AND newest;
  END IF;
  PERFORM set_config('cs.centers', declared, true);
  RETURN NULL;
END $$;
CREATE TRIGGER attempts_go_too AFTER DELETE ON delivery REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION delete_attempts();

-- Weeks ------------------------------------------------------------------------------------------------------------

-- Weeks that exist, attached or archived, by the partitions of platform_event. `begins` is null for what was there before there were weeks.
CREATE FUNCTION event_weeks() RETURNS TABLE (week text, begins date, ends date, attached boolean) LANGUAGE sql STABLE AS $$
  SELECT m[1] || m[2],
         CASE WHEN m[1] = 'w' THEN to_date(m[2], 'YYYYMMDD') END,
         CASE WHEN m[1] = 'w' THEN to_date(m[2], 'YYYYMMDD') + 7 ELSE to_date(m[2], 'YYYYMMDD') END,
         n.nspname = 'partitions'
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, regexp_match(c.relname, '^platform_event_(w|until)(\d{8})$') AS m
  WHERE c.relkind = 'r' AND n.nspname IN ('partitions', 'archive') AND m IS NOT NULL
$$;

-- Nobody reads or writes a partition by itself: not even its owner sees rows there without declaring all centers.
CREATE FUNCTION close_partition(partition text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE partitions.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', partition);
  EXECUTE format('CREATE POLICY declared ON partitions.%I USING ((SELECT declared_everywhere()))', partition);
END $$;

-- Makes the partitions of a week, unless they exist, are archived, or the partition from before there were weeks covers it. They are attached rather than made in place, because that does
-- not lock out those who write. Rows that came before their week was made lie in the default partition and are moved.
CREATE FUNCTION make_event_week(monday date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  whole record;
  week text;
  lower_bound text := first_id_at('msg', monday::timestamp AT TIME ZONE 'UTC');
  upper_bound text := first_id_at('msg', (monday + 7)::timestamp AT TIME ZONE 'UTC');
BEGIN
  IF EXISTS (SELECT FROM event_weeks() w WHERE w.begins IS NULL AND monday < w.ends) THEN
    RETURN false;
  END IF;
  FOR whole IN SELECT * FROM event_tables() ORDER BY place LOOP
    week := whole.name || to_char(monday, '"_w"YYYYMMDD');
    IF to_regclass('partitions.' || week) IS NOT NULL OR to_regclass('archive.' || week) IS NOT NULL THEN
      RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING DEFAULTS)', week, whole.name);
    EXECUTE format('WITH moved AS (DELETE FROM partitions.%1$I WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING *) INSERT INTO partitions.%5$I SELECT * FROM moved',
      whole.name || '_rest', whole.key, lower_bound, upper_bound, week);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)',
      whole.name, week, lower_bound, upper_bound);
    PERFORM close_partition(week);
  END LOOP;
  RETURN true;
END $$;

-- This week and the next ones; answers how many were missing.
CREATE FUNCTION make_event_weeks(moment timestamptz, ahead int) RETURNS int LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  declared text := declare_all_centers();
  made int := 0;
BEGIN
  FOR week IN 0..least(ahead, 52) LOOP
    IF make_event_week(date_trunc('week', moment AT TIME ZONE 'UTC')::date + 7 * week) THEN
      made := made + 1;
    END IF;
  END LOOP;
  PERFORM set_config('cs.centers', declared, true);
  RETURN made;
END $$;

-- The first partition holds what was there before there were weeks, up to a Monday that lies ahead of every id.
DO $$
DECLARE
  whole record;
  newest text;
  monday date := date_trunc('week', now() AT TIME ZONE 'UTC')::date;
  partition text;
BEGIN
  SELECT greatest((SELECT max(id) FROM partitions.platform_event), (SELECT max(event_id) FROM partitions.delivery)) INTO newest;
  IF newest IS NOT NULL THEN
    monday := monday + 7;
    WHILE first_id_at('msg', monday::timestamp AT TIME ZONE 'UTC') <= newest LOOP
      monday := monday + 7;
      IF monday > current_date + 3650 THEN
        RAISE EXCEPTION 'the event id % lies more than ten years ahead: correct it, then migrate again', newest;
      END IF;
    END LOOP;
  END IF;
  FOR whole IN SELECT * FROM event_tables() ORDER BY place LOOP
    IF newest IS NULL THEN
      EXECUTE format('DROP TABLE partitions.%I', whole.name);
    ELSE
      partition := whole.name || to_char(monday, '"_until"YYYYMMDD');
      EXECUTE format('ALTER TABLE partitions.%I RENAME TO %I', whole.name, partition);
      EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (MINVALUE) TO (%L)',
        whole.name, partition, first_id_at('msg', monday::timestamp AT TIME ZONE 'UTC'));
      PERFORM close_partition(partition);
    END IF;
    EXECUTE format('CREATE TABLE partitions.%I PARTITION OF public.%I DEFAULT', whole.name || '_rest', whole.name);
    PERFORM close_partition(whole.name || '_rest');
  END LOOP;
  FOR week IN 0..2 LOOP
    PERFORM make_event_week(monday + 7 * week);
  END LOOP;
END $$;

-- Retention --------------------------------------------------------------------------------------------------------

-- Whether a week holds something that must stay: a delivery that is under way or was attempted since the moment, an event that started
-- a workflow that still runs. Those who send old events again take the same advisory lock, shared, so the answer holds until the
-- transaction ends.
CREATE FUNCTION event_week_needed(week text, moment timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  needed boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('countersign.forget_events'));
  EXECUTE format($check$
    SELECT EXISTS (SELECT FROM partitions.%1$I d
                   WHERE d.status = 'pending' OR d.next_attempt_at IS NOT NULL OR coalesce(d.last_attempt_at, d.created_at) >= $1)
        OR EXISTS (SELECT FROM partitions.%2$I e WHERE e.created_at >= $1)
        OR EXISTS (SELECT FROM workflow_execution x JOIN partitions.%2$I e ON e.id = x.started_by
                   WHERE x.status IN ('RUNNING', 'AWAITING_REVIEW'))
    $check$, 'delivery_' || week, 'platform_event_' || week) INTO needed USING moment;
  RETURN needed;
END $$;

-- Drops the oldest week that ended before a moment and is not needed; answers its name, or null.
CREATE FUNCTION drop_event_week(moment timestamptz) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  declared text := declare_all_centers();
  old record;
  dropped text;
BEGIN
  FOR old IN SELECT w.week FROM event_weeks() w WHERE w.attached AND w.ends <= (moment AT TIME ZONE 'UTC')::date ORDER BY w.ends LOOP
    CONTINUE WHEN event_week_needed(old.week, moment);
    LOCK TABLE ONLY platform_event, ONLY delivery, ONLY delivery_attempt IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('DROP TABLE partitions.%I, partitions.%I, partitions.%I',
      'platform_event_' || old.week, 'delivery_' || old.week, 'delivery_attempt_' || old.week);
    dropped := old.week;
    EXIT;
  END LOOP;
  PERFORM set_config('cs.centers', declared, true);
  RETURN dropped;
END $$;

-- Archive, for the owner alone ---------------------------------------------------------------------------------------

-- Detaches a week that has ended: its tables lie in the schema "archive" from then on.
CREATE FUNCTION archive_event_week(wanted text) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  declared text := declare_all_centers();
  whole record;
BEGIN
  IF NOT EXISTS (SELECT FROM event_weeks() w WHERE w.week = wanted AND w.attached AND w.ends <= (now() AT TIME ZONE 'UTC')::date) THEN
    RAISE EXCEPTION '% is not an attached week that has ended', wanted USING ERRCODE = 'no_data_found';
  END IF;
  IF event_week_needed(wanted, 'infinity') THEN
    RAISE EXCEPTION 'a delivery or a workflow still needs an event of %', wanted USING ERRCODE = 'object_in_use';
  END IF;
  LOCK TABLE ONLY platform_event, ONLY delivery, ONLY delivery_attempt IN ACCESS EXCLUSIVE MODE;
  FOR whole IN SELECT * FROM event_tables() ORDER BY place LOOP
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION partitions.%I', whole.name, whole.name || '_' || wanted);
    EXECUTE format('ALTER TABLE partitions.%I SET SCHEMA archive', whole.name || '_' || wanted);
  END LOOP;
  PERFORM set_config('cs.centers', declared, true);
END $$;

-- Attaches it again. PostgreSQL reads the rows once, to see that all of them belong there.
CREATE FUNCTION restore_event_week(wanted text) RETURNS void LANGUAGE plpgsql
SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  whole record;
  old record;
  lower_bound text;
BEGIN
  SELECT * INTO old FROM event_weeks() w WHERE w.week = wanted AND NOT w.attached;
  IF NOT FOUND THEN
    RAISE EXCEPTION '% is not an archived week', wanted USING ERRCODE = 'no_data_found';
  END IF;
  lower_bound := CASE WHEN old.begins IS NULL THEN 'MINVALUE' ELSE quote_literal(first_id_at('msg', old.begins::timestamp AT TIME ZONE 'UTC')) END;
  FOR whole IN SELECT * FROM event_tables() ORDER BY place LOOP
    EXECUTE format('ALTER TABLE archive.%I SET SCHEMA partitions', whole.name || '_' || wanted);
    EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%s) TO (%L)', whole.name, whole.name || '_' || wanted,
      lower_bound, first_id_at('msg', old.ends::timestamp AT TIME ZONE 'UTC'));
  END LOOP;
END $$;

-- Erasure reaches archived weeks too: what is attached again must not bring back what was erased meanwhile.
CREATE FUNCTION emptied_event(p_data json, p_kept text[]) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_object_agg(m.key, CASE WHEN m.key = ANY (p_kept) THEN m.value
    WHEN json_typeof(m.value) = 'string' THEN '""' ELSE 'null' END)
  FROM json_each(p_data) m
$$;

CREATE OR REPLACE FUNCTION erase_from_events(p_center_id int, p_from text, p_ids text[], p_kept text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  ids text[];
  old record;
  declared text;
BEGIN
  SELECT array_agg(id) INTO ids FROM (
    SELECT e.id FROM platform_event e
    WHERE e.center_id = p_center_id AND e.id >= p_from
      AND EXISTS (SELECT FROM unnest(p_ids) named WHERE strpos(e.data::text, named) > 0)
    ORDER BY e.id FOR UPDATE) locked;
  UPDATE platform_event e SET data = emptied_event(e.data, p_kept) WHERE e.id = ANY (ids);
  UPDATE delivery d SET erased = true WHERE d.event_id = ANY (ids);
  UPDATE delivery_attempt a SET response_body = NULL WHERE a.event_id = ANY (ids) AND a.response_body IS NOT NULL;
  FOR old IN SELECT w.week FROM event_weeks() w WHERE NOT w.attached LOOP
    declared := declare_all_centers();
    EXECUTE format('SELECT array_agg(e.id) FROM archive.%I e WHERE e.center_id = $1 AND e.id >= $2
      AND EXISTS (SELECT FROM unnest($3) named WHERE strpos(e.data::text, named) > 0)', 'platform_event_' || old.week)
      INTO ids USING p_center_id, p_from, p_ids;
    EXECUTE format('UPDATE archive.%I e SET data = emptied_event(e.data, $2) WHERE e.id = ANY ($1)', 'platform_event_' || old.week)
      USING ids, p_kept;
    EXECUTE format('UPDATE archive.%I d SET erased = true WHERE d.event_id = ANY ($1)', 'delivery_' || old.week) USING ids;
    EXECUTE format('UPDATE archive.%I a SET response_body = NULL WHERE a.event_id = ANY ($1)', 'delivery_attempt_' || old.week) USING ids;
    PERFORM set_config('cs.centers', declared, true);
  END LOOP;
END $$;

REVOKE ALL ON FUNCTION make_event_weeks(timestamptz, int), drop_event_week(timestamptz), make_event_week(date), close_partition(text),
  event_week_needed(text, timestamptz), archive_event_week(text), restore_event_week(text), delete_attempts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_event_weeks(timestamptz, int), drop_event_week(timestamptz) TO countersign_app;
