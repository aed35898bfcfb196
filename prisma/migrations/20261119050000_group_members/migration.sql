-- Groups and delegations are on the journal with their people, named by salted digests. Ids and salts are stored here.
SET LOCAL cs.centers = '*';

CREATE TABLE journal_people (
  chain_id int NOT NULL,
  index int NOT NULL,
  center_id int NOT NULL,
  subject text NOT NULL,
  people json NOT NULL,
  CONSTRAINT journal_people_pkey PRIMARY KEY (chain_id, index)
);
CREATE INDEX journal_people_subject_index_idx ON journal_people (subject, index);

GRANT SELECT, INSERT ON journal_people TO countersign_app;
ALTER TABLE journal_people ENABLE ROW LEVEL SECURITY;
ALTER TABLE journal_people FORCE ROW LEVEL SECURITY;
CREATE POLICY declared ON journal_people
  USING ((SELECT declared_everywhere()) OR center_id = ANY ((SELECT declared_centers())::int[]));
CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON journal_people FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON journal_people FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who left a center is in none of its groups.
DELETE FROM approval_group_member g USING membership m WHERE m.id = g.membership_id AND m.status = 'ENDED';

-- Every group and delegation gets a record with its people: the earlier ones name nobody. Disclosures and contents are the
-- canonical JSON that the service writes. They are dated like the newest record, because the clock of the database may be ahead
-- of the service's.
CREATE FUNCTION pg_temp.salt() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT rtrim(translate(encode(substr(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 1, 16), 'base64'), '+/', '-_'), '=')
$$;
CREATE FUNCTION pg_temp.base64url(bytes bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT translate(encode(bytes, 'base64'), E'+/=\n', '-_')
$$;
CREATE FUNCTION pg_temp.digest(p_salt text, p_role text, p_id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT pg_temp.base64url(sha256(convert_to(
    pg_temp.base64url(convert_to(format('["%s","%s","%s"]', p_salt, p_role, p_id), 'UTF8')), 'UTF8')))
$$;
CREATE FUNCTION pg_temp.as_time(at timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

DO $$
DECLARE
  one record;
  written record;
  content text;
  at text;
BEGIN
  FOR one IN
    SELECT g.center_id, g.id, g.name, people.list, people.digests
    FROM approval_group g CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(json_build_object('role', 'member', 'id', p.actor_id, 'salt', p.salt)), '[]') AS list,
             coalesce(string_agg('"' || p.digest || '"', ',' ORDER BY p.digest COLLATE "C"), '') AS digests
      FROM (
        SELECT s.actor_id, s.salt, pg_temp.digest(s.salt, 'member', s.actor_id) AS digest
        FROM (
          SELECT m.actor_id, pg_temp.salt() AS salt FROM approval_group_member a JOIN membership m ON m.id = a.membership_id
          WHERE a.group_id = g.id AND m.actor_id IS NOT NULL OFFSET 0) s OFFSET 0) p) people
    ORDER BY g.center_id, g.id
  LOOP
    content := format('{"id":%s,"kind":"group","members":[%s],"name":%s}', to_json(one.id), one.digests, to_json(one.name));
    SELECT coalesce(max(r.timestamp), pg_temp.as_time(clock_timestamp())) INTO at FROM ledger_chain c
    JOIN ledger_record r ON r.chain_id = c.id AND r.index = c.size - 1
    WHERE c.center_id = one.center_id AND c.domain IN ('journal', 'proof');
    SELECT * INTO written FROM ledger_append(ledger_chain_for(one.center_id, 'journal'), ARRAY[content], at);
    INSERT INTO journal_people VALUES (written.chain_id, written.index, one.center_id, one.id, one.list);
  END LOOP;
  FOR one IN
    SELECT d.center_id, d.id, d.starts_at, d.ends_at, d.ended_at, f.actor_id AS from_id, t.actor_id AS to_id,
           pg_temp.salt() AS from_salt, pg_temp.salt() AS to_salt
    FROM delegation d
    JOIN membership f ON f.id = d.from_membership_id JOIN membership t ON t.id = d.to_membership_id
    ORDER BY d.center_id, d.id
  LOOP
    content := format('{%s"from":"%s","id":%s,"kind":"delegation","starts":"%s","to":"%s","until":"%s"}',
      coalesce('"ended":"' || pg_temp.as_time(one.ended_at) || '",', ''), pg_temp.digest(one.from_salt, 'from', one.from_id),
      to_json(one.id), pg_temp.as_time(one.starts_at), pg_temp.digest(one.to_salt, 'to', one.to_id), pg_temp.as_time(one.ends_at));
    SELECT coalesce(max(r.timestamp), pg_temp.as_time(clock_timestamp())) INTO at FROM ledger_chain c
    JOIN ledger_record r ON r.chain_id = c.id AND r.index = c.size - 1
    WHERE c.center_id = one.center_id AND c.domain IN ('journal', 'proof');
    SELECT * INTO written FROM ledger_append(ledger_chain_for(one.center_id, 'journal'), ARRAY[content], at);
    INSERT INTO journal_people VALUES (written.chain_id, written.index, one.center_id, one.id, json_build_array(
      json_build_object('role', 'from', 'id', one.from_id, 'salt', one.from_salt),
      json_build_object('role', 'to', 'id', one.to_id, 'salt', one.to_salt)));
  END LOOP;
END $$;
