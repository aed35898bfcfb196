/** A center with every kind of record, which the tests in attacks.test.ts tamper with, and the three ways to verify it. */
import type { Difference } from '@countersign/auditor/verify/report';
import { verifyServer } from '@countersign/auditor/verify/server';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { verifyEverything } from '../../src/commands/verify/database.ts';
import { type OpenSource, openSource } from '../../src/commands/verify/source.ts';
import { systemContext } from '../../src/domain/context.ts';
import { rejectBySystem } from '../../src/domain/decisions/approve/system-rejection.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import * as tampering from './tampering.ts';

export let running: TestApp;
export let stage: ProofStage;
export let backDoor: Awaited<ReturnType<typeof tampering.openBackDoor>>;
/** Ids by the names used in the table below. */
export const ids: Record<string, string> = {};
/** The place of each, by chain. */
export const at: Record<string, number> = {};
export const chain: Record<string, number> = {};

const CREATE_POLICY = /* GraphQL */ `mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }`;
const UPDATE_POLICY = /* GraphQL */ `mutation ($input: UpdatePolicyInput!) { updatePolicy(input: $input) { id } }`;

beforeAll(async () => {
  running = await startTestApp();
  stage = await proofStage(running);
  const { app } = running;
  const ctx = systemContext(app, 'test', stage.center.id);
  const { data } = await running.graphql(
    CREATE_POLICY,
    { input: { scope: 'CENTER', name: 'Two', actionPattern: 'payout', guards: { dualApproval: true } } },
    stage.token,
  );
  ids['policy'] = data.createPolicy.id;
  await running.graphql(
    UPDATE_POLICY,
    { input: { id: ids['policy'], name: 'Two pairs of eyes' } },
    stage.token,
  );
  const record = async (change: object = {}) => (await stage.record(change)).id as string;
  ids['sealed'] = await record();
  ids['twice'] = await record({ action: { type: 'payout' } });
  ids['waiting'] = await record();
  ids['rejected'] = await record();
  ids['halfway'] = await record({ action: { type: 'payout' } });
  ids['expired'] = await record();
  await stage.approve(ids['sealed']);
  await stage.approve(ids['twice']);
  await stage.approve(ids['twice'], { approver: { id: 'second', type: 'human' } });
  await stage.approve(ids['rejected'], { result: 'rejected' });
  await stage.approve(ids['halfway']);
  await rejectBySystem(ctx, ids['expired'], 'expired');
  const { argumentsDigest } = (
    await running.graphql(
      'query ($id: ID!) { decisionEvent(id: $id) { argumentsDigest } }',
      { id: ids['sealed'] },
      stage.token,
    )
  ).data.decisionEvent;
  const outcome = { status: 'executed', argumentsDigest: `sha256:${argumentsDigest}`, output: { paid: 1 } };
  expect((await stage.post(`/decision-events/${ids['sealed']}/outcome`, outcome)).status).toBe(201);
  for (let i = 0; i < 5; i++) {
    ids[`record ${i}`] = (
      await recordDpu(ctx, { content: `record ${i}`, tags: ['a'], metadata: { i } })
    ).dpuId;
  }
  const raise = { token: stage.token, body: { evidenceLevel: 'DOCUMENTED' } };
  expect((await running.call('PUT', `/dpu/${ids['record 2']}`, raise)).status).toBe(200);
  await signDueChains(app);
  await locate();
  backDoor = await tampering.openBackDoor(running.database.adminUrl, [
    ...[
      'decision_event',
      'decision_event_tag',
      'approval',
      'outcome',
      'policy',
      'policy_version',
      'signing_key_line',
      'ledger_node',
    ],
  ]);
  await backDoor.remember();
  source = await openSource(target(), undefined);
});
afterEach(() => backDoor.restore());
afterAll(async () => {
  await backDoor?.close();
  await source?.close();
  await running.close();
});

/** Records where everything is, before any change. */
async function locate(): Promise<void> {
  const { superuser } = running;
  const chains = await superuser.query('SELECT id, domain FROM ledger_chain WHERE center_id = $1', [
    stage.center.id,
  ]);
  for (const { id, domain } of chains.rows) chain[domain] = id;
  for (const name of ['sealed', 'twice', 'waiting', 'rejected', 'halfway', 'expired']) {
    const { rows } = await superuser.query(
      `SELECT e.journal_index, e.dpu_id, d.index, o.journal_index AS outcome FROM decision_event e
       LEFT JOIN dpu d ON d.id = e.dpu_id LEFT JOIN outcome o ON o.event_id = e.id WHERE e.id = $1`,
      [ids[name]],
    );
    at[name] = rows[0].journal_index;
    at[`${name} on proof`] = rows[0].index;
    at[`outcome of ${name}`] = rows[0].outcome;
    ids[`dpu of ${name}`] = rows[0].dpu_id;
    const approvals = await superuser.query(
      'SELECT id, journal_index FROM approval WHERE event_id = $1 ORDER BY id',
      [ids[name]],
    );
    for (const [n, { id, journal_index }] of approvals.rows.entries()) {
      ids[`approval ${n} of ${name}`] = id;
      at[`approval ${n} of ${name}`] = journal_index;
    }
  }
  const dpus = await superuser.query('SELECT id, journal_index FROM dpu WHERE chain_id = $1', [
    chain['platform'],
  ]);
  for (const { id, journal_index } of dpus.rows) {
    at[Object.keys(ids).find((name) => ids[name] === id)!] = journal_index;
  }
  const created = await superuser.query(
    `SELECT index FROM ledger_record WHERE chain_id = $1 AND content LIKE '%"born"%' AND strpos(content, $2) > 0`,
    [chain['journal'], ids['record 2']],
  );
  at['creation of record 2'] = created.rows[0].index;
  const audit = await superuser.query(
    'SELECT id, index FROM audit_entry WHERE chain_id = $1 ORDER BY index',
    [chain['audit']],
  );
  ids['entry'] = audit.rows[1].id;
  const versions = await superuser.query(
    `SELECT index FROM ledger_record WHERE chain_id = $1 AND content LIKE '%"kind":"policy"%' ORDER BY index`,
    [chain['journal']],
  );
  at['version 1'] = versions.rows[0].index;
  at['version 2'] = versions.rows[1].index;
  const sizes = await superuser.query('SELECT domain, size FROM ledger_chain WHERE center_id = $1', [
    stage.center.id,
  ]);
  for (const { domain, size } of sizes.rows) at[`end of ${domain}`] = size;
}

const target = () => ({
  kind: 'database' as const,
  url: running.database.url,
  checkpointFile: running.database.checkpointFile,
  dataDir: running.database.dataDir,
});

/** The parts of a verification result that all three have in common. */
interface Verdict {
  valid: boolean;
  brokenAt: (number | null)[];
  differences: Difference[];
}

async function byService() {
  const { status, body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  expect(status).toBe(200);
  return body.data;
}

/** The command's data source; it knows the key history as of its opening. */
let source: OpenSource;

async function byDatabase() {
  for await (const { centerId, result } of verifyEverything(source)) {
    if (centerId === stage.center.id) return result;
  }
  throw new Error('the command did not look at the center');
}

export async function withSourceOpenedAnew<T>(work: () => Promise<T>): Promise<T> {
  const usual = source;
  source = await openSource(target(), undefined);
  try {
    return await work();
  } finally {
    await source.close();
    source = usual;
  }
}

async function byServer(): Promise<Verdict> {
  const reports = await verifyServer({ kind: 'server', url: running.url, token: stage.token }, undefined);
  return {
    valid: reports.every(({ ok }) => ok),
    brokenAt: reports.filter(({ brokenAt }) => brokenAt != null).map(({ brokenAt }) => brokenAt!),
    differences: reports.flatMap(({ differences = [] }) => differences),
  };
}

const essence = (found: {
  valid: boolean;
  chains: { brokenAt: number | null }[];
  differences: Difference[];
}) => ({
  valid: found.valid,
  brokenAt: found.chains.map(({ brokenAt }) => brokenAt).filter((index) => index !== null),
  differences: sorted(found.differences),
});
const sorted = (differences: Difference[]) => differences.map((each) => JSON.stringify(each)).sort();

/** The common verdict of all three. */
export async function verdict() {
  const [service, database, server] = await Promise.all([byService(), byDatabase(), byServer()]);
  const answer = essence(service);
  expect(essence(database)).toEqual(answer);
  expect({ ...server, differences: sorted(server.differences) }).toEqual(answer);
  return { ...answer, differences: service.differences as Difference[], first: service.brokenAt as number };
}
