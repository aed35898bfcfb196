// The limit for HTTP calls: Koa with only pg and prepared statements on the same tables.

import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const router = new Router();

router.get('/dpu/:id', async (koa) => {
  const { rows } = await pool.query({
    name: 'dpu',
    text: `SELECT d.id, r.content, d.evidence_level, r.hash, d.metadata
           FROM dpu d JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index WHERE d.id = $1`,
    values: [koa['params'].id],
  });
  koa.body = rows[0];
});

router.get('/events/:center', async (koa) => {
  const { rows } = await pool.query({
    name: 'events',
    text: `SELECT id, decision_id, type, status, actor_id, actor_type, actor_name, action_type, tags, created_at, updated_at
           FROM decision_event WHERE center_id = $1 ORDER BY id DESC LIMIT 20`,
    values: [koa['params'].center],
  });
  koa.body = rows;
});

router.post('/bytes', async (koa) => {
  const body = await text(koa.req);
  const { rows } = await pool.query({
    name: 'bytes',
    text: 'INSERT INTO bench_bytes (body) VALUES ($1) RETURNING id',
    values: [body],
  });
  koa.status = 201;
  koa.body = rows[0];
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
