/**
 * What a database superuser can do to a center, and what the three verifications report: the service, the command on the
 * database and the command on the server give the same verdict, with the place and, for a visible row, the member.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Difference } from '@countersign/auditor/verify/report';
import { verifyServer } from '@countersign/auditor/verify/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { verifyEverything } from '../../src/commands/verify/database.ts';
import { type OpenSource, openSource } from '../../src/commands/verify/source.ts';
import { systemContext } from '../../src/domain/context.ts';
import { recordDpu } from '../../src/domain/dpus/append-dpu.ts';
import { signDueChains } from '../../src/domain/ledger/checkpoints/round.ts';
import { rejectBySystem } from '../../src/domain/proof/system-rejection.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import { bareEnvironment } from '../helpers/process.ts';
import { type ProofStage, proofStage } from '../proof/stage.ts';
import * as tampering from './tampering.ts';

let running: TestApp;
let stage: ProofStage;
let backDoor: Awaited<ReturnType<typeof tampering.openBackDoor>>;
/** Ids by the names used in the table below. */
const ids: Record<string, string> = {};
/** The place of each, by chain. */
const at: Record<string, number> = {};
const chain: Record<string, number> = {};

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
  const born = await superuser.query(
    `SELECT index FROM ledger_record WHERE chain_id = $1 AND content LIKE '%"born"%' AND strpos(content, $2) > 0`,
    [chain['journal'], ids['record 2']],
  );
  at['birth of record 2'] = born.rows[0].index;
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

async function withSourceOpenedAnew<T>(work: () => Promise<T>): Promise<T> {
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
async function verdict() {
  const [service, database, server] = await Promise.all([byService(), byDatabase(), byServer()]);
  const answer = essence(service);
  expect(essence(database)).toEqual(answer);
  expect({ ...server, differences: sorted(server.differences) }).toEqual(answer);
  return { ...answer, differences: service.differences as Difference[], first: service.brokenAt as number };
}

const event = (name: string, member: string | null): Difference => ({
  table: 'decision_event',
  id: ids[name]!,
  chain: 'journal',
  index: at[name]!,
  member,
});
const approval = (name: string, member: string | null, on: 'proof' | 'journal' = 'journal'): Difference => ({
  table: 'approval',
  id: ids[name]!,
  chain: on,
  index: on === 'proof' ? at[`${name.replace(/^approval \d of /, '')} on proof`]! : at[name]!,
  member,
});
const sealedDpu = (name: string, member: string | null): Difference => ({
  table: 'dpu',
  id: ids[`dpu of ${name}`]!,
  chain: 'proof',
  index: at[`${name} on proof`]!,
  member,
});
const version = (name: string, member: string | null): Difference => ({
  table: 'policy_version',
  id: ids['policy']!,
  chain: 'journal',
  index: at[name]!,
  member,
});
const entry = (member: string | null): Difference => ({
  table: 'audit_entry',
  id: ids['entry']!,
  chain: 'audit',
  index: 1,
  member,
});
const record = (n: number, member: string | null): Difference => ({
  table: 'dpu',
  id: ids[`record ${n}`]!,
  chain: member === null || member === 'content' ? 'platform' : 'journal',
  index: member === null || member === 'content' ? n : at[`record ${n}`]!,
  member,
});

const edit = (table: string, name: string, change: string) => () =>
  `UPDATE ${table} SET ${change} WHERE id = '${ids[name]}'`;
const remove = (table: string, name: string) => () => `DELETE FROM ${table} WHERE id = '${ids[name]}'`;
const onChain = (domain: string, sql: string) => () => sql.replaceAll('$chain', String(chain[domain]));
const rewrite = (domain: string, index: number, change: string) =>
  onChain(domain, `UPDATE ledger_record SET ${change} WHERE chain_id = $chain AND index = ${index}`);

type Attack = [name: string, sql: () => string, expected: () => Partial<Awaited<ReturnType<typeof verdict>>>];
const differs =
  (...differences: (() => Difference)[]) =>
  () => ({
    differences: differences.map((each) => each()),
  });
const breaks = (first: number | (() => number)) => () => ({
  first: typeof first === 'number' ? first : first(),
});

/** Each kind of member of a sealed decision, by its column. */
const members: [column: string, member: string][] = [
  [`decision_id = 'dec_other'`, 'decisionId'],
  [`type = 'custom'`, 'type'],
  [`actor_id = 'other'`, 'actor.id'],
  [`actor_type = 'human'`, 'actor.type'],
  [`actor_name = NULL`, 'actor.name'],
  [`action_type = 'refund.deny'`, 'action.type'],
  [`action_description = 'Something else'`, 'action.description'],
  [`action_input = '{"orderId":"A-18","amount":49.9}'`, 'action.input'],
  [`action_output = '{"granted":false}'`, 'action.output'],
  [
    `ai_context = '{"model":"m-2","provider":"example","confidence":0.93,"reasoning":"Within 14 days."}'`,
    'aiContext.model',
  ],
  [`risk_score = 0.1`, 'riskScore'],
  [`tags = '{refund}'`, 'tags'],
  [`evidence_id = 'evd_other'`, 'evidence.id'],
  [`status = 'recorded'`, 'status'],
  [`content_hash = repeat('0', 64)`, 'contentHash'],
  [`expires_at = now()`, 'expiresAt'],
];

/** Everything as first recorded, including the entry it names. */
const putBack = () =>
  edit(
    'dpu',
    'record 2',
    `evidence_level = 'DRAFT', sealed_at = NULL, journal_index = ${at['birth of record 2']}`,
  )();
const fallenBack = [() => record(2, 'journalIndex'), () => record(2, 'evidenceLevel')];

const attacks: Attack[] = [
  ['a content', rewrite('platform', 2, `content = 'other'`), breaks(2)],
  [
    'a content emptied without erasure',
    rewrite('platform', 2, `content = ''`),
    differs(() => record(2, 'content')),
  ],
  ['a content that is no JSON', rewrite('proof', 0, `content = '{'`), breaks(0)],
  ['a hash', rewrite('proof', 1, `hash = repeat('e', 64)`), breaks(1)],
  ['a timestamp', rewrite('audit', 1, `timestamp = '2001-01-01T00:00:00.000Z'`), breaks(1)],
  ['an entry of the journal', rewrite('journal', 3, `content = replace(content, 'evt_', 'evx_')`), breaks(3)],
  [
    'a deleted record',
    onChain('journal', 'DELETE FROM ledger_record WHERE chain_id = $chain AND index = 2'),
    breaks(2),
  ],
  [
    'two records swapped',
    onChain(
      'platform',
      `UPDATE ledger_record r SET content = o.content, timestamp = o.timestamp, hash = o.hash FROM ledger_record o
       WHERE r.chain_id = $chain AND o.chain_id = $chain AND r.index IN (1, 2) AND o.index IN (1, 2) AND o.index <> r.index`,
    ),
    breaks(1),
  ],
  [
    'a cut tail, with the head put back',
    onChain(
      'proof',
      `DELETE FROM ledger_record WHERE chain_id = $chain AND index >= 1;
       DELETE FROM dpu WHERE chain_id = $chain AND index >= 1;
       UPDATE ledger_chain SET size = 1, head_hash = (SELECT hash FROM ledger_record WHERE chain_id = $chain AND index = 0)
       WHERE id = $chain`,
    ),
    breaks(1),
  ],
  [
    'a record inserted behind the head',
    onChain(
      'journal',
      `INSERT INTO ledger_record (chain_id, index, content, previous_hash, hash, timestamp)
       SELECT chain_id, index + 1, content, hash, encode(sha256(convert_to(content || hash || timestamp, 'UTF8')), 'hex'), timestamp
       FROM ledger_record WHERE chain_id = $chain ORDER BY index DESC LIMIT 1`,
    ),
    breaks(() => at['end of journal']!),
  ],
  [
    'a head that says less',
    onChain('audit', 'UPDATE ledger_chain SET size = size - 1 WHERE id = $chain'),
    () => ({ first: at['end of audit']! - 1 }),
  ],
  ['a head that is gone', onChain('proof', 'DELETE FROM ledger_chain WHERE id = $chain'), breaks(0)],
  [
    'the head of the journal gone',
    onChain('journal', 'DELETE FROM ledger_chain WHERE id = $chain'),
    breaks(0),
  ],
  [
    'a whole chain gone, with everything on it',
    onChain(
      'platform',
      `DELETE FROM dpu WHERE chain_id = $chain; DELETE FROM ledger_record WHERE chain_id = $chain;
       DELETE FROM checkpoint WHERE chain_id = $chain; DELETE FROM ledger_chain WHERE id = $chain`,
    ),
    breaks(0),
  ],
  ['a missing checkpoint', onChain('proof', 'DELETE FROM checkpoint WHERE chain_id = $chain'), breaks(0)],
  [
    'a forged checkpoint',
    onChain('audit', `UPDATE checkpoint SET root_hash = repeat('0', 64) WHERE chain_id = $chain`),
    () => ({ first: at['end of audit']! - 1 }),
  ],
  ['a broken history of keys', () => `UPDATE signing_key_line SET line = 'nonsense'`, breaks(0)],
  ...members.map(
    ([change, member]): Attack => [
      `${member} of a sealed decision`,
      edit('decision_event', 'sealed', change),
      differs(() =>
        member === 'status'
          ? { ...event('sealed', member), chain: 'proof', index: at['sealed on proof']! }
          : event('sealed', member),
      ),
    ],
  ),
  [
    'a decision that waits, deleted',
    remove('decision_event', 'waiting'),
    differs(() => event('waiting', null)),
  ],
  [
    'a decision that waits, edited',
    edit('decision_event', 'waiting', `action_description = 'x'`),
    differs(() => event('waiting', 'event')),
  ],
  [
    'a member taken from one that waits',
    edit('decision_event', 'waiting', `actor_name = NULL`),
    differs(() => event('waiting', 'actor.name')),
  ],
  [
    'members in the open of decisions that were never sealed',
    () =>
      [
        edit('decision_event', 'waiting', `type = 'custom'`)(),
        edit('decision_event', 'rejected', `actor_type = 'human'`)(),
        edit('decision_event', 'halfway', `occurred_at = occurred_at - interval '1 day'`)(),
        edit('decision_event', 'expired', `created_at = created_at - interval '1 day'`)(),
      ].join(';'),
    differs(
      () => event('waiting', 'type'),
      () => event('rejected', 'actor.type'),
      () => event('halfway', 'occurredAt'),
      () => event('expired', 'createdAt'),
    ),
  ],
  [
    'rows that no longer lead to their entries, to hide what else was edited',
    () =>
      [
        edit('decision_event', 'waiting', `journal_index = 0, actor_name = NULL`)(),
        edit('approval', 'approval 0 of rejected', `journal_index = 0, by_kind = 'session'`)(),
        edit('decision_event', 'expired', 'center_id = center_id + 1000')(),
      ].join(';'),
    differs(
      () => event('waiting', 'journalIndex'),
      () => event('expired', 'centerId'),
      () => approval('approval 0 of rejected', 'journalIndex'),
      () => event('waiting', 'actor.name'),
      () => approval('approval 0 of rejected', 'by.kind'),
    ),
  ],
  [
    'a rejected decision, deleted',
    remove('decision_event', 'rejected'),
    differs(() => event('rejected', null)),
  ],
  [
    'a rejected decision, edited',
    edit('decision_event', 'rejected', `tags = '{}'`),
    differs(() => event('rejected', 'event')),
  ],
  [
    'a rejected decision, taken out of the list of its tag',
    () => `DELETE FROM decision_event_tag WHERE event_id = '${ids['rejected']}'`,
    differs(() => event('rejected', 'tags')),
  ],
  [
    'a rejected decision made to wait again',
    edit('decision_event', 'rejected', `status = 'recorded'`),
    differs(() => event('rejected', 'status')),
  ],
  [
    'an expired decision, deleted',
    remove('decision_event', 'expired'),
    differs(() => event('expired', null)),
  ],
  [
    'a decision that nobody recorded',
    () =>
      `INSERT INTO decision_event SELECT * FROM json_populate_record(NULL::decision_event, (
         SELECT (row_to_json(e)::jsonb || '{"id":"evt_invented","evidence_id":"evd_i","dpu_id":"dpu_i"}')::json
         FROM decision_event e WHERE id = '${ids['waiting']}'))`,
    () => ({
      differences: [
        { table: 'decision_event', id: 'evt_invented', chain: 'journal', index: null, member: null },
      ],
    }),
  ],
  [
    'the reason of an approval',
    edit('approval', 'approval 0 of sealed', `reason = 'Other'`),
    differs(() => approval('approval 0 of sealed', 'reason', 'proof')),
  ],
  [
    'the approver',
    edit('approval', 'approval 1 of twice', `approver_id = 'other'`),
    differs(() => approval('approval 1 of twice', 'approver.id', 'proof')),
  ],
  [
    'how an approver was known',
    edit('approval', 'approval 0 of rejected', `by_kind = 'session'`),
    differs(() => approval('approval 0 of rejected', 'by.kind')),
  ],
  [
    'an approval, deleted',
    remove('approval', 'approval 0 of sealed'),
    differs(() => approval('approval 0 of sealed', null, 'proof')),
  ],
  [
    'a rejection, deleted',
    remove('approval', 'approval 0 of rejected'),
    differs(() => approval('approval 0 of rejected', null)),
  ],
  [
    'the first of two approvals, deleted',
    remove('approval', 'approval 0 of halfway'),
    differs(() => approval('approval 0 of halfway', null)),
  ],
  [
    'an approval and an outcome that another center sees instead',
    () =>
      [
        edit('approval', 'approval 0 of sealed', 'center_id = center_id + 1000')(),
        edit('approval', 'approval 0 of rejected', 'center_id = center_id + 1000')(),
        `UPDATE outcome SET center_id = center_id + 1000 WHERE event_id = '${ids['sealed']}'`,
      ].join(';'),
    differs(
      () => approval('approval 0 of sealed', 'centerId', 'proof'),
      () => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! }),
      () => approval('approval 0 of rejected', 'centerId'),
    ),
  ],
  [
    'marks of an erasure that never was',
    () =>
      [
        `UPDATE outcome SET erased = '{"x": {"at": "2026-01-01T00:00:00.000Z"}}' WHERE event_id = '${ids['sealed']}'`,
        edit('dpu', 'dpu of twice', 'erased_at = now()')(),
        edit('dpu', 'record 0', `erased_reason = 'lost'`)(),
      ].join(';'),
    differs(
      () => ({ ...record(0, 'content'), member: 'erasedReason' }),
      () => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! }),
      () => sealedDpu('twice', 'erasedAt'),
    ),
  ],
  [
    'an outcome, edited',
    () => `UPDATE outcome SET output = '{"paid":2}' WHERE event_id = '${ids['sealed']}'`,
    differs(() => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! })),
  ],
  [
    'an outcome, deleted',
    () => `DELETE FROM outcome WHERE event_id = '${ids['sealed']}'`,
    differs(() => ({ ...event('sealed', 'outcome'), index: at['outcome of sealed']! })),
  ],
  [
    'a version of a policy',
    () => `UPDATE policy_version SET guards = '{}' WHERE policy_id = '${ids['policy']}' AND version = 1`,
    differs(() => version('version 1', 'guards')),
  ],
  [
    'a version of a policy, deleted',
    () => `DELETE FROM policy_version WHERE policy_id = '${ids['policy']}' AND version = 1`,
    differs(() => version('version 1', null)),
  ],
  [
    'the policy in force',
    edit('policy', 'policy', `guards = '{}'`),
    differs(() => version('version 2', 'guards')),
  ],
  [
    'the baseline of everybody',
    () => `UPDATE policy SET guards = '{"riskThreshold": 1}' WHERE id = 'pol_baseline'`,
    () => ({
      differences: [
        { table: 'policy_version', id: 'pol_baseline', chain: '0/journal', index: 0, member: 'guards' },
      ],
    }),
  ],
  [
    'the level of a record',
    edit('dpu', 'record 1', `evidence_level = 'AUDIT_READY'`),
    differs(() => record(1, 'evidenceLevel')),
  ],
  [
    'the notes of a record that was raised',
    edit('dpu', 'record 2', `metadata = '{}'`),
    differs(() => record(2, 'metadata')),
  ],
  ['a record put back to what it was before it was raised', () => putBack(), differs(...fallenBack)],
  ['the row of a record, deleted', remove('dpu', 'record 3'), differs(() => record(3, null))],
  [
    'who sealed a decision',
    edit('dpu', 'dpu of sealed', `actor_id = 'nobody'`),
    differs(() => sealedDpu('sealed', 'actorId')),
  ],
  [
    'the row of a sealed decision, deleted',
    remove('dpu', 'dpu of sealed'),
    differs(() => sealedDpu('sealed', null)),
  ],
  [
    'an audit entry',
    edit('audit_entry', 'entry', `actor_email = 'other@example.test'`),
    differs(() => entry('actorEmail')),
  ],
  ['an audit entry, deleted', remove('audit_entry', 'entry'), differs(() => entry(null))],
];

test('nothing is found where nothing was done', async () => {
  expect(await verdict()).toMatchObject({ valid: true, brokenAt: [], differences: [], first: null });
  expect(await brokenAlone()).toEqual([]);
});

test.each(attacks)('%s: three ways, one verdict', async (_, sql, expected) => {
  await backDoor.db.query(sql());
  const found = await (sql().includes('signing_key') ? withSourceOpenedAnew(verdict) : verdict());
  expect(found.valid).toBe(false);
  expect(found).toMatchObject(expected());
});

const alone = ['record 0', 'record 1', 'record 2', 'record 3', 'record 4', 'dpu of sealed', 'dpu of twice'];

/** The invalid ones, each verified by itself. */
async function brokenAlone() {
  const answers = await Promise.all(
    alone.map((name) => running.call('GET', `/dpu/${ids[name]}/verify`, { token: stage.token })),
  );
  return alone.filter((_, i) => !answers[i]!.body.data.valid);
}

const ofOne: [name: string, sql: (() => string)[], broken: string[]][] = [
  [
    'its row',
    [
      edit('dpu', 'record 1', `evidence_level = 'AUDIT_READY'`),
      putBack,
      edit('dpu', 'record 4', `chain_id = 0`),
      edit('dpu', 'dpu of sealed', `actor_id = 'nobody'`),
    ],
    ['record 1', 'record 2', 'record 4', 'dpu of sealed'],
  ],
  [
    'its domain, or what came of it',
    [
      edit('dpu', 'record 0', `domain = 'proof', reference_type = 'decision-event'`),
      () => `UPDATE outcome SET output = '{"paid":2}' WHERE event_id = '${ids['sealed']}'`,
    ],
    ['record 0', 'dpu of sealed'],
  ],
  [
    'its leaf in the tree, on which its neighbour leans, or its decision',
    [
      onChain(
        'platform',
        `UPDATE ledger_node SET hash = repeat('0', 64) WHERE chain_id = $chain AND level = 0 AND index = 1`,
      ),
      edit('decision_event', 'twice', `action_output = '{}'`),
    ],
    ['record 0', 'record 1', 'dpu of twice'],
  ],
  [
    'a node of the tree that its proof needs',
    [onChain('platform', 'DELETE FROM ledger_node WHERE chain_id = $chain AND level = 1 AND index = 0')],
    ['record 2', 'record 3'],
  ],
];

test.each(ofOne)('verified alone, a record is not valid after a change of %s', async (_, sql, broken) => {
  await backDoor.db.query(sql.map((each) => each()).join(';'));
  expect(await brokenAlone()).toEqual(broken);
});

test('the command itself says it, with the place and the member, and exits with 1', async () => {
  await backDoor.db.query(edit('decision_event', 'rejected', `actor_name = NULL`)());
  const { url, checkpointFile, dataDir } = running.database;
  const { stdout, status } = spawnSync(
    process.execPath,
    ['src/commands/verify.ts', '--chain', '--database', url, '--checkpoints', checkpointFile],
    {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: bareEnvironment({ DATA_DIR: dataDir }),
      encoding: 'utf8',
    },
  );
  expect(stdout).toContain(`decision_event ${ids['rejected']}: actor.name, by record ${at['rejected']}`);
  expect(status).toBe(1);
});
