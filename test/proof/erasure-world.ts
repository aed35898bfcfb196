import { createHash } from 'node:crypto';
import { parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { afterAll, beforeAll, expect } from 'vitest';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type ProofStage, proofStage } from './stage.ts';

export let running: TestApp;
export let stage: ProofStage;

/** Starts a service with a worker for the tests of the calling file. */
export function startErasureWorld(): void {
  beforeAll(async () => {
    running = await startTestApp({ worker: true, env: { WEBHOOK_RETRY_DELAYS: '0,1,1,1' } });
    stage = await proofStage(running);
  });
  afterAll(() => running.close());
}

const ERASE = `mutation ($input: EraseDecisionInput!) {
  eraseDecision(input: $input) { status erased { path at reason } } }`;
const ERASE_CONTENT = `mutation ($input: EraseDpuContentInput!) {
  eraseDpuContent(input: $input) { content erasedAt erasedReason tags metadata } }`;

export const erase = (eventId: string, more: object = {}, token = stage.token) =>
  running.graphql(ERASE, { input: { eventId, reason: 'asked to', ...more } }, token);
export const eraseContent = (id: string, token = stage.token) =>
  running.graphql(ERASE_CONTENT, { input: { id, reason: 'asked to' } }, token);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await running.superuser.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  let all = '';
  for (const { name } of tables) {
    const { rows } = await running.superuser.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    all += rows.map(({ text }) => `${name} ${text}\n`).join('');
  }
  return all;
}

const sha256 = (text: string, encoding: 'hex' | 'base64url') =>
  createHash('sha256').update(text).digest(encoding);

/** The forms in which a value may be stored: itself, its digests, and JSON-escaped once more. */
export const spellings = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const digested = [text, canonicalJson(value as never)];
  return [text, ...digested.flatMap((each) => [sha256(each, 'hex'), sha256(each, 'base64url')])];
};

/** Lines of the dump and of the log that contain any of these texts. */
export async function tracesOf(texts: readonly string[]): Promise<string[]> {
  const lines = `${await dump()}${running.logged.join('\n')}`.split('\n');
  return lines.filter((line) => texts.some((text) => line.toLowerCase().includes(text.toLowerCase())));
}

export const exported = async (path: string) =>
  (await running.call('GET', path, { token: stage.token })).text;
export async function verdictOf(document: string): Promise<string> {
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  const trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  const { verdict, reason } = await verifyProof(document, trust);
  return `${verdict}: ${reason}`.replace(/erased by [0-9a-f-]{36}/, 'erased by ADMIN');
}

export const chainsAreValid = async () => {
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(body.data).toMatchObject({ valid: true, brokenAt: null });
};

export const journal = async (): Promise<Parsed[]> => {
  const { rows } = await running.superuser.query<{ content: string }>(
    `SELECT r.content FROM ledger_record r JOIN ledger_chain c ON c.id = r.chain_id
     WHERE c.domain = 'journal' AND c.center_id = $1 ORDER BY r.index`,
    [stage.center.id],
  );
  return rows.map(({ content }) => JSON.parse(content)).filter(({ kind }) => kind === 'erased');
};
