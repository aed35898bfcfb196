-- Who may do what, and who sees which rows.
--
-- The service works as the role countersign_app, which owns nothing. It reads and adds; it changes and deletes only what
-- is named here. And it sees the rows of the centers that its transaction has declared, set_config('cs.centers', …, true),
-- and nothing without a declaration: a statement that forgets its filter finds nothing of another center. '*' declares all
-- of them (src/db/across-tenants.ts says where and why), 0 what belongs to the platform itself.
--
-- Row-level security is forced: it holds for the owner of the tables too. A later migration that moves rows begins with
-- SET LOCAL cs.centers = '*'.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'countersign_app') THEN
    CREATE ROLE countersign_app NOLOGIN;
  END IF;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL; -- made for another database of this server at the same moment
  WHEN insufficient_privilege THEN
    RAISE EXCEPTION 'the role countersign_app is missing and % may not make it: have an administrator run CREATE ROLE countersign_app', current_user;
END $$;

-- Rights -----------------------------------------------------------------------------------------------------------

DO $$
BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
END $$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO countersign_app;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO countersign_app;
REVOKE INSERT ON _prisma_migrations FROM countersign_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO countersign_app;

CREATE PROCEDURE pg_temp.allow(what text, tables text[]) LANGUAGE plpgsql AS $$
DECLARE
  allowed text;
BEGIN
  FOREACH allowed IN ARRAY tables LOOP
    EXECUTE format('GRANT %s ON %I TO countersign_app', what, allowed);
  END LOOP;
END $$;

-- What features change.
CALL pg_temp.allow('UPDATE', ARRAY[
  'actor', 'api_key', 'booking', 'center', 'delivery', 'guardianship', 'idempotency_record', 'link_token', 'login_counter', 'mail',
  'membership', 'partner', 'passkey', 'passkey_challenge', 'policy', 'prepared_approval', 'rate_counter',
  'refresh_token', 'session', 'signing_state', 'sso_token', 'subscription', 'tally', 'webhook', 'witness_state', 'worker_heartbeat',
  'workflow', 'workflow_execution', 'workflow_step_run']);
CALL pg_temp.allow('UPDATE (size, head_hash, origin)', ARRAY['ledger_chain']);
CALL pg_temp.allow('UPDATE (status, awaits_approval, updated_at)', ARRAY['decision_event']);
CALL pg_temp.allow('UPDATE (evidence_level, metadata, sealed_at, journal_index)', ARRAY['dpu']);
-- Nobody changes these, but who takes them away locks them first, which asks for a right to change something.
CALL pg_temp.allow('UPDATE (id)', ARRAY['tally_delta', 'platform_event']);

-- What features take away, and what has outlived its use.
CALL pg_temp.allow('DELETE', ARRAY[
  'availability_rule', 'center_word', 'delivery', 'guardianship', 'idempotency_record', 'link_token', 'login_counter', 'mail',
  'partner_activity', 'passkey', 'passkey_challenge', 'platform_event', 'prepared_approval', 'rate_counter',
  'refresh_token', 'session', 'sso_token', 'tally', 'tally_delta', 'webhook', 'witness_state', 'worker_heartbeat']);
DROP PROCEDURE pg_temp.allow;

-- Sight ------------------------------------------------------------------------------------------------------------

CREATE FUNCTION declared_everywhere() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT current_setting('cs.centers', true) IS NOT DISTINCT FROM '*'
$$;
CREATE FUNCTION declared_centers() RETURNS int[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT string_to_array(nullif(current_setting('cs.centers', true), '*'), ',')::int[]
$$;

-- Every policy asks both in a subquery, so that they are computed once a statement and not once a row.
CREATE PROCEDURE pg_temp.secure(tables text[], own text) LANGUAGE plpgsql AS $$
DECLARE
  secured text;
BEGIN
  FOREACH secured IN ARRAY tables LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', secured);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', secured);
    EXECUTE format('CREATE POLICY declared ON %I USING ((SELECT declared_everywhere()) OR %s)', secured, own);
  END LOOP;
END $$;

-- Rows with a center of their own.
CALL pg_temp.secure(
  ARRAY['api_key', 'approval', 'attendance', 'availability_rule', 'booking', 'center_word', 'certificate', 'decision_event', 'decision_event_tag', 'delivery',
    'dpu', 'membership', 'outcome', 'payment', 'platform_event', 'prepared_approval', 'provisioning_order', 'subscription', 'tenant_mapping', 'webhook', 'workflow',
    'workflow_execution'],
  'center_id = ANY ((SELECT declared_centers())::int[])');
-- A mail may belong to a person alone.
CALL pg_temp.secure(ARRAY['mail'], 'center_id = ANY ((SELECT declared_centers())::int[])');
CALL pg_temp.secure(ARRAY['center'], 'id = ANY ((SELECT declared_centers())::int[])');

-- Rows of a center, or of the platform where none is named.
CALL pg_temp.secure(ARRAY['audit_entry', 'ledger_chain'], 'coalesce(center_id, 0) = ANY ((SELECT declared_centers())::int[])');

-- Rows of a chain. Written so that the chains are found by index, however many there are.
CALL pg_temp.secure(ARRAY['ledger_record', 'ledger_node', 'checkpoint'], $own$
  chain_id = ANY (ARRAY (
    SELECT c.id FROM ledger_chain c WHERE c.center_id = ANY (declared_centers())
    UNION ALL
    SELECT c.id FROM ledger_chain c WHERE c.center_id IS NULL AND 0 = ANY (declared_centers())))
$own$);

-- Rows that hang on another one.
CALL pg_temp.secure(ARRAY['delivery_attempt'],
  'EXISTS (SELECT FROM delivery d WHERE d.webhook_id = delivery_attempt.webhook_id AND d.event_id = delivery_attempt.event_id)');
CALL pg_temp.secure(ARRAY['workflow_version'], 'EXISTS (SELECT FROM workflow w WHERE w.id = workflow_id)');
CALL pg_temp.secure(ARRAY['workflow_step_run'], 'EXISTS (SELECT FROM workflow_execution e WHERE e.id = execution_id)');

-- Policies without a center are the platform's: they apply to everybody and so are read by everybody.
CALL pg_temp.secure(ARRAY['policy'], 'center_id = ANY ((SELECT declared_centers())::int[])');
CREATE POLICY of_the_platform ON policy FOR SELECT USING (center_id IS NULL);
CALL pg_temp.secure(ARRAY['policy_version'],
  'EXISTS (SELECT FROM policy p WHERE p.id = policy_id AND p.center_id = ANY (declared_centers()))');
CREATE POLICY of_the_platform ON policy_version FOR SELECT
  USING (EXISTS (SELECT FROM policy p WHERE p.id = policy_id AND p.center_id IS NULL));

-- People are seen where they are members. What else belongs to people and partners belongs to no center: whoever works
-- with it says so.
CALL pg_temp.secure(ARRAY['actor'],
  'EXISTS (SELECT FROM membership m WHERE m.actor_id = actor.id AND m.center_id = ANY (declared_centers()))');
CALL pg_temp.secure(
  ARRAY['guardianship', 'link_token', 'partner', 'partner_activity', 'partner_membership', 'passkey', 'passkey_challenge',
    'refresh_token', 'session', 'sso_token'],
  'false');
DROP PROCEDURE pg_temp.secure;
