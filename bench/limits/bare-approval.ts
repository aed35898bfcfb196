// The limit of an approval: Koa, pg and one statement that writes the same rows without chain, order, policy or guard.
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';

const RECORD = `
  INSERT INTO bare_event (id, center_id, decision_id, evidence_id, dpu_id, type, actor_id, actor_type, actor_name, action_type,
    action_input, action_output, ai_context, tags, salts, content_hash, journal_index, occurred_at)
  VALUES ($1, $2, $1, $1, $1, 'agent_execution', $3, 'ai_agent', $4, $5, $6, $7, $8, $9, $10, $11, 0, $12)`;

const APPROVE = `
  WITH approved AS (
    INSERT INTO bare_approval (id, center_id, event_id, approver_id, approver_type, approver_name, result, reason, by_kind,
      by_id, salts, content_hash, created_at)
    VALUES ($1, $2, $3, $4, 'human', $5, 'approved', $6, 'api_key', 'key', $7, $8, $9)
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
  UPDATE bare_event SET status = 'sealed', updated_at = $9 WHERE id = $3`;

/** An approval that is not the last one: it is recorded on the journal. */
const APPROVE_IN_PART = `
  WITH approved AS (
    INSERT INTO bare_approval (id, center_id, event_id, approver_id, approver_type, approver_name, result, reason, by_kind,
      by_id, salts, content_hash, created_at)
    VALUES ($1, $2, $3, $4, 'human', $5, 'approved', $6, 'api_key', 'key', $7, $8, $9)
  ), recorded AS (
    INSERT INTO bare_record (hash, content, timestamp) VALUES ($8, $10, $11)
  )
  UPDATE bare_event SET status = 'approved', updated_at = $9 WHERE id = $3`;

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const router = new Router();

router.post('/:center/events', async (koa) => {
  const { actor, action, aiContext, tags } = JSON.parse(await text(koa.req));
  const id = `evt_${randomUUID()}`;
  const salts = JSON.stringify({ 'action.input': randomUUID(), 'actor.id': randomUUID() });
  const values = [
    id,
    koa['params'].center,
    actor.id,
    actor.name,
    action.type,
    JSON.stringify(action.input),
    JSON.stringify(action.output),
    JSON.stringify(aiContext),
    tags,
    salts,
    sha256(salts),
    new Date(),
  ];
  await pool.query({ name: 'record', text: RECORD, values });
  koa.status = 201;
  koa.body = { data: { id } };
});

// Rows are as large as those of the service: sealed content holds every approval of its decision.
const APPROVALS = Number(process.env['APPROVALS'] ?? 1);
const SEALED_PADDING = 'x'.repeat(1_260 + 450 * APPROVALS);
const ENTRY_PADDING = 'x'.repeat(300);

const newSalts = () =>
  JSON.stringify({
    'approvals.reason': randomUUID(),
    'approvals.approver.id': randomUUID(),
    'approvals.by.id': randomUUID(),
  });

router.post('/:center/events/:id/approvals', async (koa) => {
  const { approver, reason } = JSON.parse(await text(koa.req));
  const { center, id } = koa['params'];
  const at = new Date();
  const approvalId = `apr_${randomUUID()}`;
  const salts = newSalts();
  const content = JSON.stringify({ id, approver, reason, padding: SEALED_PADDING });
  const hash = sha256(content + at.toISOString());
  const metadata = JSON.stringify({ eventId: id, chainHash: hash });
  const entry = JSON.stringify({
    id: approvalId,
    type: 'decision.sealed',
    target: id,
    detail: { hash },
    padding: ENTRY_PADDING,
  });
  const values = [
    approvalId,
    center,
    id,
    approver.id,
    approver.name,
    reason,
    salts,
    hash,
    at,
    metadata,
    content,
    at.toISOString(),
    sha256(entry + at.toISOString()),
    entry,
  ];
  const { rowCount } = await pool.query({ name: 'approve', text: APPROVE, values });
  koa.status = rowCount === 1 ? 200 : 404;
  koa.body = { data: { approvalId, sealedHash: hash, sealedAt: at } };
});

router.post('/:center/events/:id/approvals/in-part', async (koa) => {
  const { approver, reason } = JSON.parse(await text(koa.req));
  const { center, id } = koa['params'];
  const at = new Date();
  const approvalId = `apr_${randomUUID()}`;
  const salts = newSalts();
  const eventDigest = sha256(salts);
  const entry = JSON.stringify({
    id,
    approver,
    reason,
    eventDigest,
    kind: 'approved',
    padding: ENTRY_PADDING,
  });
  const hash = sha256(entry + at.toISOString());
  const approval = [approvalId, center, id, approver.id, approver.name, reason, salts, hash, at];
  const values = [...approval, entry, at.toISOString()];
  const { rowCount } = await pool.query({ name: 'approve in part', text: APPROVE_IN_PART, values });
  koa.status = rowCount === 1 ? 200 : 404;
  koa.body = { data: { approvalId, sealedHash: null, sealedAt: null } };
});

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  process.send?.({ msg: 'ready', port: (server.address() as AddressInfo).port });
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
  process.disconnect();
});
