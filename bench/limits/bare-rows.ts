// The rows of the limit: those that the service writes, in tables with only a primary key and without triggers.
const COLUMNS_OF_RECORD =
  'hash text PRIMARY KEY, content text NOT NULL, previous_hash text, timestamp text NOT NULL';

export const BARE_TABLES = `
  CREATE TABLE bare_event (LIKE decision_event INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_event_tag (LIKE decision_event_tag, PRIMARY KEY (center_id, tag, event_id));
  CREATE TABLE bare_approval (LIKE approval INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_dpu (LIKE dpu INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_record (${COLUMNS_OF_RECORD}) WITH (toast_tuple_target = 8160);
  CREATE TABLE bare_chain (LIKE ledger_chain INCLUDING DEFAULTS, PRIMARY KEY (center_id, domain));
  INSERT INTO bare_chain (center_id, domain)
    SELECT c.id, domain FROM center c, unnest('{proof,audit,journal}'::chain_domain[]) domain;
  CREATE TABLE bare_audit (LIKE audit_entry INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_platform_event (LIKE platform_event INCLUDING DEFAULTS, PRIMARY KEY (id));
  CREATE TABLE bare_count (LIKE tally_delta INCLUDING DEFAULTS, PRIMARY KEY (id));`;

type Domain = 'proof' | 'audit' | 'journal';

/** Chain heads and counts, which every statement changes. */
const changes = (heads: boolean, domains: Domain[], counts: string) => `
  counted AS (
    INSERT INTO bare_count (key, delta) SELECT key, 1 FROM unnest(${counts}::text[]) key
  )${heads ? `, ${advanced(domains)}` : ''}`;

const advanced = (domains: Domain[]) => `advanced AS (
    UPDATE bare_chain SET size = size + 1, head_hash = $8 WHERE center_id = $2 AND domain = ANY ('{${domains}}')
  )`;

/** Without heads if all callers share a center: each would wait for the row that another one has changed. */
export const bareStatements = (heads: boolean) => ({
  record: `
  WITH ${changes(heads, ['journal'], '$14')}, tagged AS (
    INSERT INTO bare_event_tag (center_id, tag, event_id) SELECT $2, tag, $1 FROM unnest($9::text[]) tag
  ), recorded AS (
    INSERT INTO bare_record (hash, content, timestamp) VALUES ($8, $12, $13)
  )
  INSERT INTO bare_event (id, center_id, evidence_id, dpu_id, content, large, decision_id, type, actor_id, actor_type,
    actor_name, action_type, tags, salts, content_hash, journal_index, created_at)
  VALUES ($1, $2, $1, $1, $6, $7, $1, 'agent_execution', $3, 'ai_agent', $4, $5, $9, $10, $8, 0, $11)`,

  /** An approval that is not the last one: it is recorded on the journal. */
  approveInPart: `
  WITH ${changes(heads, ['journal'], '$10')}, approved AS (
    INSERT INTO bare_approval (id, center_id, event_id, content, result, salts, content_hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $8, $7)
  ), recorded AS (
    INSERT INTO bare_record (hash, content, timestamp) VALUES ($8, $9, $11)
  )
  UPDATE bare_event SET status = 'approved', updated_at = $7 WHERE id = $3`,

  approve: `
  WITH ${changes(heads, ['proof', 'audit'], '$15')}, approved AS (
    INSERT INTO bare_approval (id, center_id, event_id, content, result, salts, content_hash, created_at)
    VALUES ($1, $2, $3, $5, $6, $7, $8, $9)
  ), proven AS (
    INSERT INTO bare_dpu (id, center_id, chain_id, index, domain, vertical, evidence_level, reference_type, reference_id,
      actor_id, tags, metadata, sealed_at)
    VALUES ($1, $2, 1, 0, 'proof', 'rehabilitation', 'AUDIT_READY', 'decision-event', $3, $4, '{bench,appointments}', $10, $9)
  ), recorded AS (
    INSERT INTO bare_record (hash, content, timestamp) VALUES ($8, $11, $12), ($13, $14, $12)
  ), audited AS (
    INSERT INTO bare_audit (id, center_id, chain_id, index, type, actor_id, target, detail, occurred_at)
    VALUES ($1, $2, 1, 0, 'decision.sealed', 'key', $3, $10, $9)
  ), told AS (
    INSERT INTO bare_platform_event (id, center_id, type, data, created_at) VALUES ($1, $2, 'dpu.sealed', $10, $9)
  )
  UPDATE bare_event SET status = 'sealed', updated_at = $9 WHERE id = $3`,
});
