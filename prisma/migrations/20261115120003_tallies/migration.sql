-- Exact counts behind dashboards and list totals (src/domain/partners/tally-keys.ts names the keys). They are kept by
-- statement triggers, so no path can forget them, and a statement over many rows leaves one delta a key.

CREATE FUNCTION tally_centers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'centers:' || partner_id, count(*) FROM new_rows WHERE partner_id IS NOT NULL GROUP BY partner_id;
  ELSE
    INSERT INTO tally_delta (key, delta)
    SELECT 'centers:' || partner_id, -count(*) FROM old_rows WHERE partner_id IS NOT NULL GROUP BY partner_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON center REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_centers();
CREATE TRIGGER tally_deleted AFTER DELETE ON center REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_centers();

-- How many centers are open, by vertical: the total of the list without words.
CREATE FUNCTION tally_open_centers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'open-centers:' || vertical, count(*) FROM new_rows WHERE status = 'ACTIVE' GROUP BY vertical;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'open-centers:' || vertical, -count(*) FROM old_rows WHERE status = 'ACTIVE' GROUP BY vertical;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_open_inserted AFTER INSERT ON center REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();
CREATE TRIGGER tally_open_updated AFTER UPDATE ON center REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();
CREATE TRIGGER tally_open_deleted AFTER DELETE ON center REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_open_centers();

-- What one membership counts towards.
CREATE FUNCTION membership_tallies(center_id int, partner_id text, status membership_status) RETURNS SETOF text
LANGUAGE sql IMMUTABLE AS $$
  SELECT key FROM (VALUES
    ('memberships:' || partner_id, true),
    ('members:' || partner_id, status = 'ACTIVE'),
    ('members:' || center_id, status = 'ACTIVE')
  ) AS counted (key, counts) WHERE counts AND key IS NOT NULL
$$;

CREATE FUNCTION tally_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT key, count(*) FROM new_rows r, membership_tallies(r.center_id, r.partner_id, r.status) key GROUP BY key;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT key, -count(*) FROM old_rows r, membership_tallies(r.center_id, r.partner_id, r.status) key GROUP BY key;
  ELSE
    INSERT INTO tally_delta (key, delta)
    SELECT key, sum(change) FROM (
      SELECT key, 1 AS change FROM new_rows r, membership_tallies(r.center_id, r.partner_id, r.status) key
      UNION ALL
      SELECT key, -1 FROM old_rows r, membership_tallies(r.center_id, r.partner_id, r.status) key
    ) moved GROUP BY key HAVING sum(change) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON membership REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_memberships();
CREATE TRIGGER tally_updated AFTER UPDATE ON membership REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_memberships();
CREATE TRIGGER tally_deleted AFTER DELETE ON membership REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_memberships();

-- Paying subscriptions of a partner by plan: with the plans' prices they make the recurring revenue.
CREATE FUNCTION tally_subscriptions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'plan:' || r.plan_id || ':' || c.partner_id, count(*)
    FROM new_rows r JOIN center c ON c.id = r.center_id
    WHERE r.status = 'ACTIVE' AND c.partner_id IS NOT NULL GROUP BY 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO tally_delta (key, delta)
    SELECT 'plan:' || r.plan_id || ':' || c.partner_id, -count(*)
    FROM old_rows r JOIN center c ON c.id = r.center_id
    WHERE r.status = 'ACTIVE' AND c.partner_id IS NOT NULL GROUP BY 1;
  ELSE
    INSERT INTO tally_delta (key, delta)
    SELECT 'plan:' || r.plan_id || ':' || c.partner_id, sum(r.change)
    FROM (
      SELECT plan_id, center_id, status, 1 AS change FROM new_rows
      UNION ALL
      SELECT plan_id, center_id, status, -1 FROM old_rows
    ) r JOIN center c ON c.id = r.center_id
    WHERE r.status = 'ACTIVE' AND c.partner_id IS NOT NULL GROUP BY 1 HAVING sum(r.change) <> 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON subscription REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
CREATE TRIGGER tally_updated AFTER UPDATE ON subscription REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();
CREATE TRIGGER tally_deleted AFTER DELETE ON subscription REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_subscriptions();

-- Money received, by partner and month (UTC). Payments are written once and never changed.
CREATE FUNCTION tally_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'revenue:' || to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM') || ':' || partner_id, amount
  FROM new_rows WHERE status = 'COMPLETED' AND partner_id IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON payment REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_payments();

-- Audit entries, by partner and day (UTC): the total of any range of days is a sum over a stretch of keys.
CREATE FUNCTION tally_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tally_delta (key, delta)
  SELECT 'audit:' || partner_id || ':' || to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), count(*)
  FROM new_rows WHERE partner_id IS NOT NULL GROUP BY 1;
  RETURN NULL;
END $$;
CREATE TRIGGER tally_inserted AFTER INSERT ON audit_entry REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION tally_audit();

-- What a center's decisions of one tag are counted under. Tallies are seen by everybody: the tag itself is not in there.
CREATE FUNCTION tag_tally(center_id int, tag text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT 'tagged:' || center_id || ':' || encode(sha256(convert_to(center_id || ':' || tag, 'UTF8')), 'hex')
$$;

-- A person who signs in to, enters or goes on working in a partner's center counts once a day for that partner.
CREATE FUNCTION note_partner_activity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  today date := (NEW.last_used_at AT TIME ZONE 'UTC')::date;
  partner text;
BEGIN
  INSERT INTO partner_activity (partner_id, day, actor_id)
  SELECT c.partner_id, today, NEW.actor_id FROM center c WHERE c.id = NEW.center_id AND c.partner_id IS NOT NULL
  ON CONFLICT DO NOTHING
  RETURNING partner_id INTO partner;
  IF partner IS NOT NULL THEN
    INSERT INTO tally_delta (key, delta) VALUES ('active:' || to_char(today, 'YYYY-MM-DD') || ':' || partner, 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER partner_activity AFTER INSERT OR UPDATE OF center_id, last_used_at ON session
  FOR EACH ROW WHEN (NEW.center_id IS NOT NULL) EXECUTE FUNCTION note_partner_activity();
