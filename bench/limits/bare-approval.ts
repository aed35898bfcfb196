// The limit of an approval: Koa, pg and one statement that writes the same rows without order, policy, guard or signature.
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';
import { bareStatements } from './bare-rows.ts';

const SQL = bareStatements(process.env['HEADS'] === '1');

// Rows are as large as those of the service: sealed content holds every approval of its decision.
const APPROVALS = Number(process.env['APPROVALS'] ?? 1);
const SEALED_PADDING = 'x'.repeat(1_260 + 450 * APPROVALS);
const ENTRY_PADDING = 'x'.repeat(300);

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const router = new Router();

router.post('/:center/events', async (koa) => {
  const { actor, action, aiContext, tags } = JSON.parse(await text(koa.req));
  const { center } = koa['params'];
  const at = new Date();
  const id = `evt_${randomUUID()}`;
  const salts = JSON.stringify({ 'action.input': randomUUID(), 'actor.id': randomUUID() });
  const entry = JSON.stringify({
    id,
    kind: 'recorded',
    eventDigest: sha256(salts),
    padding: ENTRY_PADDING,
  });
  const counts = [
    `events:${center}:recorded`,
    `storage:${center}`,
    ...tags.map((tag: string) => `tag:${center}:${tag}`),
  ];
  const values = [
    id,
    center,
    actor.id,
    actor.name,
    action.type,
    JSON.stringify({
      actor,
      action: { type: action.type },
      aiContext,
      tags,
      id,
      decisionId: id,
      occurredAt: at,
    }),
    JSON.stringify({ 'action.input': action.input, 'action.output': action.output }),
    sha256(entry + at.toISOString()),
    tags,
    salts,
    at,
    entry,
    at.toISOString(),
    counts,
  ];
  await pool.query({ name: 'record', text: SQL.record, values });
  koa.status = 201;
  koa.body = { data: { id } };
});

const documentOf = (id: string, approver: object, reason: string, at: Date) =>
  JSON.stringify({
    id,
    approver,
    reason,
    result: 'approved',
    by: { kind: 'api_key', id: 'key' },
    approvedAt: at,
  });

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
  const counts = ['events:approved', 'events:sealed', 'dpu:AUDIT_READY', 'storage'];
  const values = [
    approvalId,
    center,
    id,
    approver.id,
    documentOf(approvalId, approver, reason, at),
    'approved',
    salts,
    hash,
    at,
    metadata,
    content,
    at.toISOString(),
    sha256(entry + at.toISOString()),
    entry,
    counts.map((key) => `${key}:${center}`),
  ];
  const { rowCount } = await pool.query({ name: 'approve', text: SQL.approve, values });
  koa.status = rowCount === 1 ? 200 : 404;
  koa.body = { data: { approvalId, sealedHash: hash, sealedAt: at } };
});

/** Only the first approval changes the status of a decision, and with it the counts. */
router.post('/:center/events/:id/approvals/:nth', async (koa) => {
  const { approver, reason } = JSON.parse(await text(koa.req));
  const { center, id, nth } = koa['params'];
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
  const counts = nth === '1' ? [`events:recorded:${center}`, `events:approved:${center}`] : [];
  const document = documentOf(approvalId, approver, reason, at);
  const values = [
    approvalId,
    center,
    id,
    document,
    'approved',
    salts,
    at,
    hash,
    entry,
    counts,
    at.toISOString(),
  ];
  const { rowCount } = await pool.query({ name: 'approve in part', text: SQL.approveInPart, values });
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
