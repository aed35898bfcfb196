-- Hash chains: what a record must look like, how chains grow, and what never changes again.

CREATE UNIQUE INDEX ledger_chain_center_domain_key ON ledger_chain (center_id, domain) NULLS NOT DISTINCT;

-- The form is written without a counted repetition, which is slow to match: every append pays for it. A previous hash is the
-- hash of another record (links_hold).
ALTER TABLE ledger_record
  ADD CONSTRAINT ledger_record_genesis CHECK ((index = 0) = (previous_hash IS NULL)),
  ADD CONSTRAINT ledger_record_form CHECK (length(hash) = 64 AND hash !~ '[^0-9a-f]' AND length(timestamp) = 24);
-- Contents are full of digests, which hardly compress: up to a page they stand in their row as they are.
ALTER TABLE ledger_record SET (toast_tuple_target = 8160);

-- Growing ----------------------------------------------------------------------------------------------------------

-- The chain of a center and domain; its head row is made with it. Written so that the index serves both cases.
CREATE FUNCTION ledger_chain_for(p_center_id int, p_domain chain_domain) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  found int;
BEGIN
  FOR attempt IN 1 .. 2 LOOP
    IF p_center_id IS NULL THEN
      SELECT id INTO found FROM ledger_chain WHERE center_id IS NULL AND domain = p_domain;
    ELSE
      SELECT id INTO found FROM ledger_chain WHERE center_id = p_center_id AND domain = p_domain;
    END IF;
    EXIT WHEN found IS NOT NULL;
    INSERT INTO ledger_chain (center_id, domain) VALUES (p_center_id, p_domain) ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN found;
END $$;

-- The links that contents make when they are appended behind a head: each hash covers the one before it.
CREATE FUNCTION ledger_link(p_head text, p_contents text[], p_timestamp text)
RETURNS TABLE (place int, hash text, previous_hash text)
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  hash := p_head;
  FOR i IN 1 .. cardinality(p_contents) LOOP
    place := i;
    previous_hash := hash;
    hash := encode(sha256(convert_to(p_contents[i] || coalesce(hash, '') || p_timestamp, 'UTF8')), 'hex');
    RETURN NEXT;
  END LOOP;
END $$;

-- Appends contents to chains: the first p_counts[1] contents to p_chain_ids[1], the next p_counts[2] to p_chain_ids[2],
-- and so on. Heads are waited for, and locked from here to the end of the transaction, so links never fork and never
-- leave a gap; whoever calls it should commit soon, and always name chains in the same order.
CREATE FUNCTION ledger_append_each(p_chain_ids int[], p_counts int[], p_contents text[], p_timestamp text)
RETURNS TABLE (place int, chain_id int, index int, hash text, previous_hash text)
LANGUAGE plpgsql AS $$
DECLARE
  size int;
  head text;
  before int := 0;
BEGIN
  FOR i IN 1 .. cardinality(p_chain_ids) LOOP
    SELECT c.size, c.head_hash INTO size, head FROM ledger_chain c WHERE c.id = p_chain_ids[i] FOR UPDATE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no chain %', p_chain_ids[i] USING ERRCODE = 'no_data_found';
    END IF;
    RETURN QUERY
      WITH linked AS MATERIALIZED (
        SELECT l.* FROM ledger_link(head, p_contents[before + 1 : before + p_counts[i]], p_timestamp) l
      ), written AS (
        INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
        SELECT p_chain_ids[i], size + l.place - 1, p_contents[before + l.place], l.previous_hash, l.hash, p_timestamp
        FROM linked l
      ), moved AS (
        UPDATE ledger_chain c SET size = l.place + c.size, head_hash = l.hash
        FROM linked l WHERE c.id = p_chain_ids[i] AND l.place = p_counts[i]
      )
      SELECT before + l.place, p_chain_ids[i], size + l.place - 1, l.hash, l.previous_hash FROM linked l;
    before := before + p_counts[i];
  END LOOP;
END $$;

-- The same for one chain, whose head is waited for.
CREATE FUNCTION ledger_append(p_chain_id int, p_contents text[], p_timestamp text)
RETURNS TABLE (chain_id int, index int, hash text, previous_hash text)
LANGUAGE sql AS $$
  SELECT a.chain_id, a.index, a.hash, a.previous_hash
  FROM ledger_append_each(ARRAY[p_chain_id], ARRAY[cardinality(p_contents)], p_contents, p_timestamp) a
$$;

-- A record names the hash of the one before it, and the first of a chain names none: no gap and no fork, whoever writes it.
-- Of those that come together only the first of each chain is looked up.
CREATE FUNCTION check_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT r.chain_id, r.index, r.previous_hash, lag(r.index) OVER own AS index_before, lag(r.hash) OVER own AS hash_before
      FROM new_rows r WINDOW own AS (PARTITION BY r.chain_id ORDER BY r.index)
    ) n
    WHERE CASE
      WHEN n.index_before = n.index - 1 THEN n.previous_hash IS DISTINCT FROM n.hash_before
      WHEN n.index = 0 THEN (SELECT c.id FROM ledger_chain c WHERE c.id = n.chain_id) IS NULL
      ELSE n.previous_hash IS DISTINCT FROM (
        SELECT r.hash FROM ledger_record r WHERE r.chain_id = n.chain_id AND r.index = n.index - 1)
      END) THEN
    RAISE EXCEPTION 'a record must name the hash of the one before it on its chain' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER links_hold AFTER INSERT ON ledger_record REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_links();

-- What the journal holds of a DPU ----------------------------------------------------------------------------------

-- A value with its length before it, so that values in a row can be read in one way only.
CREATE FUNCTION sized(p_value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  -- The cast keeps the expression immutable, without which it would be called and not inlined.
  SELECT coalesce(octet_length(p_value)::text || ':' || p_value, '-')
$$;

-- The digest of a DPU's living side, as src/domain/ledger/new-dpu.ts makes it.
CREATE FUNCTION dpu_digest(d dpu) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT encode(sha256(convert_to(
    sized(d.salt) || sized(d.id) || sized(d.index::text) || sized(d.evidence_level::text) || sized(d.ai_generated::text)
      || sized(d.vertical::text) || sized(d.reference_type) || sized(d.reference_id) || sized(d.actor_id)
      || sized(array_to_json(d.tags)::text) || sized(d.metadata::text)
      || sized(to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      || sized(to_char(d.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8')), 'hex')
$$;

-- References -------------------------------------------------------------------------------------------------------

-- Chains and records are never deleted and their keys never change (append_only_rows, chain_only_grows), so a reference
-- to them need only be true when it is made. A foreign key would also lock what it finds, and run apart for every row.
-- Written as lookups by key, because a plan made while the tables are small is kept while they grow.
CREATE FUNCTION check_record_exists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM new_rows n WHERE (
    SELECT r.index FROM ledger_record r WHERE r.chain_id = n.chain_id AND r.index = n.index) IS NULL) THEN
    RAISE EXCEPTION 'a DPU needs a record that exists' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION refuse_other_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a DPU stays with its record' USING ERRCODE = 'restrict_violation';
END $$;
ALTER TABLE dpu DROP CONSTRAINT dpu_chain_id_index_fkey;
CREATE TRIGGER record_exists AFTER INSERT ON dpu REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_record_exists();
CREATE TRIGGER record_stays BEFORE UPDATE OF chain_id, index ON dpu FOR EACH ROW EXECUTE FUNCTION refuse_other_record();

-- The same for checkpoints, which are made many at a time while their chains go on growing. Keys never go away either.
ALTER TABLE checkpoint DROP CONSTRAINT checkpoint_chain_id_fkey, DROP CONSTRAINT checkpoint_key_id_fkey;
CREATE FUNCTION check_chain_exists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT DISTINCT chain_id FROM new_rows) n
             WHERE (SELECT c.id FROM ledger_chain c WHERE c.id = n.chain_id) IS NULL) THEN
    RAISE EXCEPTION 'a checkpoint needs a chain that exists' USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chain_exists AFTER INSERT ON checkpoint REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION check_chain_exists();

-- Hashes do not compress: no attempt is made.
ALTER TABLE log_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;

-- Append-only ------------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

-- The signing keys too: whoever checks an old checkpoint needs the key that signed it. Records, approvals and outcomes, from
-- which values can be erased, have guards of their own (migration erasure).
DO $$
DECLARE
  guarded text;
BEGIN
  FOREACH guarded IN ARRAY ARRAY[
    'ledger_node', 'checkpoint', 'log_tile', 'log_head', 'log_cosignature', 'signing_key', 'signing_key_line', 'audit_entry',
    'policy_version', 'workflow_version', 'payment'
  ] LOOP
    EXECUTE format('CREATE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', guarded);
    EXECUTE format('CREATE TRIGGER append_only_table BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', guarded);
  END LOOP;
END $$;

-- A chain's head only moves forward, its origin is given once, and a chain never goes away.
CREATE FUNCTION guard_chain_head() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  same_chain boolean;
  moves_on boolean;
  gets_origin boolean;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    same_chain := NEW.id = OLD.id AND NEW.center_id IS NOT DISTINCT FROM OLD.center_id AND NEW.domain = OLD.domain;
    moves_on := NEW.size > OLD.size AND NEW.origin IS NOT DISTINCT FROM OLD.origin;
    gets_origin := OLD.origin IS NULL AND NEW.origin IS NOT NULL AND NEW.size = OLD.size
      AND NEW.head_hash IS NOT DISTINCT FROM OLD.head_hash;
    IF same_chain AND (moves_on OR gets_origin) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'ledger_chain only grows: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER chain_only_grows BEFORE UPDATE OR DELETE ON ledger_chain FOR EACH ROW EXECUTE FUNCTION guard_chain_head();
CREATE TRIGGER append_only_table BEFORE TRUNCATE ON ledger_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Chains that no checkpoint speaks of yet are found without looking at all the others.
CREATE INDEX ledger_chain_unnamed ON ledger_chain (id) WHERE origin IS NULL;

-- The journal's first entry --------------------------------------------------------------------------------------

-- Versions of policies stand on the journal of their center, or of the platform: so does the one that was always there.
SELECT ledger_append(
  ledger_chain_for(NULL, 'journal'),
  ARRAY['{"actionPattern":"*","active":true,"by":{"kind":"system"},"guards":{"approverAuthentication":"ASSERTED","riskThreshold":0.8},"kind":"policy","name":"Baseline","policyId":"pol_baseline","scope":"GLOBAL","version":1}'],
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
FROM policy_version WHERE policy_id = 'pol_baseline';
