/** A center with a decision and a record that the tests in broken-data.test.ts corrupt, and every path that shows them. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseVerifierKey } from '@countersign/proof-kit';
import type { Trust } from '@countersign/proof-kit/trust';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { publicPaths } from '../../src/domain/centers/update.ts';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { historyPath } from '../../src/domain/ledger/keys/store.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import * as tampering from './tampering.ts';

export let running: TestApp;
export let stage: ProofStage;
export let backDoor: Awaited<ReturnType<typeof tampering.openBackDoor>>;
let trust: Trust;
let keyHistory: string;
export const chain: Record<string, number> = {};
/** A chain of another center. */
export let foreignChain: number;
/** Decisions without an approval, and with the first of two. */
export let waiting: string;
export let halfway: string;

/** The object that the paths are asked for, and its place. */
export interface Target {
  dpuId: string;
  /** By which its page is found. */
  publicId: string;
  evidenceId?: string;
  eventId?: string;
  domain: string;
  index: number;
  outcomeIndex?: number;
}
export const targets: Record<string, Target> = {};

export const second = { approver: { id: 'second', type: 'human' } };
const MORE = [
  ...['decision_event', 'approval', 'outcome', 'ledger_node', 'log_head', 'log_tile'],
  ...['signing_key_line', 'signing_key'],
];

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running, { settings: { proof: { enabled: true, disclose: publicPaths } } });
  await stage.policy({ dualApproval: true }, 'payout');
  const ctx = systemContext(running.app, 'test', stage.center.id);
  const payout = { action: { type: 'payout', input: { amount: 1 } } };
  const events = [];
  for (let i = 0; i < 3; i++) {
    const event = await stage.record(payout);
    await stage.approve(event.id);
    expect((await stage.approve(event.id, second)).status).toBe(200);
    events.push(event);
  }
  waiting = (await stage.record()).id;
  halfway = (await stage.record(payout)).id;
  await stage.approve(halfway);
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await recordDpu(ctx, { content: `record ${i}` })).dpuId);
  const raise = { token: stage.token, body: { evidenceLevel: 'AUDIT_READY' } };
  expect((await running.call('PUT', `/dpu/${ids[1]}`, raise)).status).toBe(200);
  targets['record'] = { dpuId: ids[1]!, publicId: ids[1]!, domain: 'platform', index: 1 };
  targets['decision'] = await decisionTarget(events[1]);
  await signDueChains(running.app);
  // So that the signatures made here are not the end of the log.
  const other = await proofStage(running);
  await recordDpu(systemContext(running.app, 'test', other.center.id), { content: 'elsewhere' });
  await signDueChains(running.app);
  const { rows } = await running.superuser.query('SELECT id, center_id, domain FROM ledger_chain');
  for (const { id, center_id, domain } of rows) {
    if (center_id === stage.center.id) chain[domain] = id;
    if (center_id === other.center.id && domain === 'platform') foreignChain = id;
  }
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  trust = { keys: keys.map(({ vkey }) => parseVerifierKey(vkey)) };
  keyHistory = await readFile(historyPath(running.database.dataDir), 'utf8');
  backDoor = await tampering.openBackDoor(running.database.adminUrl, MORE);
  await backDoor.remember();
});
afterEach(async () => {
  await backDoor.restore();
  await writeFile(historyPath(running.database.dataDir), keyHistory);
});
afterAll(async () => {
  await backDoor?.close();
  await running.close();
});

/** The decision in the middle, with its outcome. */
async function decisionTarget(event: { id: string; evidence: { id: string } }): Promise<Target> {
  const digest = `query ($id: ID!) { decisionEvent(id: $id) { argumentsDigest dpuId } }`;
  const { data } = await running.graphql(digest, { id: event.id }, stage.token);
  const { argumentsDigest, dpuId } = data.decisionEvent;
  const outcome = { status: 'executed', argumentsDigest: `sha256:${argumentsDigest}` };
  const reported = await stage.post(`/decision-events/${event.id}/outcome`, outcome);
  expect(reported.status).toBe(201);
  return {
    dpuId,
    publicId: event.id,
    eventId: event.id,
    evidenceId: event.evidence.id,
    domain: 'proof',
    index: 1,
    outcomeIndex: reported.body.data.journalIndex,
  };
}

/** In one word: the verdict on a returned document, or the error code. */
async function documentOf({ status, text, body }: { status: number; text: string; body: Parsed }) {
  if (status === 200) return (await verifyProof(text, trust)).verdict;
  return `${status} ${body.error.code}`;
}

const wordOf = ({ status, body }: { status: number; body: Parsed }) =>
  status === 200 ? 'shown' : `${status} ${body.error.code}`;
const validity = ({ status, body }: { status: number; body: Parsed }) =>
  status === 200 ? (body.data.valid ? 'valid' : 'broken') : `${status} ${body.error.code}`;

async function fetched(path: string) {
  const response = await running.fetch(path);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined };
}

/** The verdict of the page, or the one the browser will compute from its content. */
async function pageOf(id: string): Promise<string> {
  const { status, text } = await fetched(`/verify/${id}`);
  const verdict = /data-verdict="(\w+)"/.exec(text)?.[1];
  const proof = /<script type="application\/json" id="proof">(.*?)<\/script>/s.exec(text)?.[1];
  return proof ? (await verifyProof(proof, trust)).verdict : (verdict ?? String(status));
}

/** The result of each path for a target. */
export async function paths({ dpuId, publicId, evidenceId }: Target) {
  const get = (path: string) => running.call('GET', path, { token: stage.token });
  const own = (path: string) => get(`/dpu/${dpuId}${path}`);
  const evidence = (path: string) => stage.get(`/evidence/${evidenceId}${path}`);
  const said = {
    chain: get('/dpu/verify-chain').then(validity),
    verify: own('/verify').then(validity),
    read: own('').then(wordOf),
    responsibility: own('/responsibility').then(wordOf),
    export: own('/export').then(documentOf),
    state: stage.get(`/dpu/${dpuId}`).then(wordOf),
    evidence: evidenceId ? evidence('').then(wordOf) : null,
    evidenceExport: evidenceId ? evidence('/export').then(documentOf) : null,
    proof: fetched(`/verify/${publicId}/proof.json`).then(documentOf),
    page: pageOf(publicId),
    keys: fetched('/.well-known/countersign-keys.json').then(wordOf),
  };
  const answers = await Promise.all(Object.values(said));
  return Object.fromEntries(Object.keys(said).map((path, i) => [path, answers[i]]));
}
