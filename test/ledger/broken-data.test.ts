/**
 * Data corrupted by a superuser, on every path that shows it: never a server error, never a record called valid, and never a
 * document that looks complete.
 */
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { historyPath } from '../../src/domain/ledger/keys/store.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import {
  backDoor,
  chain,
  foreignChain,
  halfway,
  paths,
  running,
  second,
  stage,
  type Target,
  targets,
  waiting,
} from './broken-center.ts';
import * as tampering from './tampering.ts';

const BROKEN = '422 CHAIN_BROKEN';
const whole = {
  chain: 'valid',
  verify: 'valid',
  read: 'shown',
  responsibility: 'shown',
  export: 'proven',
  state: 'shown',
  evidence: 'shown',
  evidenceExport: 'proven',
  proof: 'proven',
  page: 'proven',
  keys: 'shown',
};

type Told = Partial<Record<keyof typeof whole, string | null>>;

/** Nothing is certified any more; paths that still show content show it without a verdict. */
const uncertified: Told = {
  export: BROKEN,
  evidenceExport: BROKEN,
  proof: BROKEN,
  page: 'refuted',
};
const refuted: Told = {
  ...uncertified,
  chain: 'broken',
  verify: 'broken',
  responsibility: BROKEN,
  evidence: BROKEN,
};
const recordGone: Told = { ...refuted, read: BROKEN, state: BROKEN };
const unsigned: Told = { export: 'partial', evidenceExport: 'partial', proof: 'partial', page: 'partial' };
const GONE = '404 DPU_NOT_FOUND';
const rowGone: Told = { ...recordGone, verify: GONE, read: GONE, responsibility: GONE, export: GONE };
const nowhere: Told = {
  evidence: '404 NOT_FOUND',
  evidenceExport: '404 NOT_FOUND',
  proof: '404 NOT_FOUND',
  page: '404',
};

/** Corrupts a target on the given chain. */
type Break = (target: Target & { chainId: number }) => Promise<unknown>;
const sql =
  (text: string): Break =>
  ({ chainId, index, dpuId, eventId, outcomeIndex }) =>
    backDoor.db.query(
      text
        .replaceAll('$chain', String(chainId))
        .replaceAll('$journal', String(chain['journal']))
        .replaceAll('$foreign', String(foreignChain))
        .replaceAll('$index', String(index))
        .replaceAll('$outcome', String(outcomeIndex))
        .replaceAll('$dpu', `'${dpuId}'`)
        .replaceAll('$event', `'${eventId}'`),
    );
const record = (change: string) =>
  sql(`UPDATE ledger_record SET ${change} WHERE chain_id = $chain AND index = $index`);
const keyFile = (text: string | null) => () => {
  const path = historyPath(running.database.dataDir);
  return text === null ? rm(path) : writeFile(path, text);
};
const inTurn =
  (...breaks: Break[]): Break =>
  async (target) => {
    for (const each of breaks) await each(target);
  };
const cutFrom = (index: string) =>
  sql(`DELETE FROM ledger_record WHERE chain_id = $chain AND index >= ${index}`);
const headFollows: Break = ({ chainId, index }) =>
  tampering.headFollows(backDoor.db, { chainId, index, size: 3 });

const everywhere: [name: string, broken: Break, told: Told, ofRecord?: Told][] = [
  ['the tail is cut off, including the record', cutFrom('$index'), recordGone],
  [
    'the tail is cut off after the record',
    cutFrom('$index + 1'),
    { ...uncertified, chain: 'broken', verify: 'broken' },
  ],
  [
    'the tail is cut off with all references to it',
    inTurn(
      cutFrom('$index'),
      sql('DELETE FROM dpu WHERE chain_id = $chain AND index >= $index'),
      headFollows,
    ),
    rowGone,
    { ...rowGone, ...nowhere, state: '404 NOT_FOUND' },
  ],
  [
    'the checkpoint is missing',
    sql('DELETE FROM checkpoint WHERE chain_id = $chain'),
    { ...unsigned, chain: 'broken', verify: 'broken' },
  ],
  [
    // The record and its links are intact up to here.
    'the checkpoint is not a note',
    sql(`UPDATE checkpoint SET note = 'nonsense' WHERE chain_id = $chain`),
    { ...uncertified, chain: 'broken' },
  ],
  [
    'the tree is deleted',
    sql('DELETE FROM ledger_node WHERE chain_id = $chain'),
    { ...unsigned, chain: 'broken', verify: 'broken' },
  ],
  ['the chain has no head', sql('DELETE FROM ledger_chain WHERE id = $chain'), recordGone],
  [
    'the dpu row of the record is missing',
    sql('DELETE FROM dpu WHERE id = $dpu'),
    rowGone,
    { ...rowGone, ...nowhere, state: '404 NOT_FOUND' },
  ],
  ['the content cannot be parsed', record(`content = '{'`), refuted],
  ['the content is empty', record(`content = ''`), refuted],
  [
    'all records from this one on are rewritten',
    ({ chainId, index }) => tampering.rewritten(backDoor.db, { chainId, index, size: 3 }),
    refuted,
  ],
];

const ofKeysAndLog: typeof everywhere = [
  [
    'the key history in the database is invalid',
    sql(`UPDATE signing_key_line SET line = 'nonsense'`),
    { ...unsigned, chain: 'broken', verify: 'broken' },
  ],
  [
    'the file with the key history is invalid',
    keyFile('nonsense\n'),
    { ...unsigned, chain: 'broken', verify: 'broken', keys: '503 SERVICE_UNAVAILABLE' },
  ],
  [
    'the key history is deleted',
    inTurn(keyFile(null), sql('DELETE FROM signing_key_line')),
    { ...unsigned, chain: 'broken', verify: 'broken', keys: '503 SERVICE_UNAVAILABLE' },
  ],
  [
    // The earlier signatures are lost; the remaining signature of the record still proves it.
    'the checkpoint file is replaced by a directory',
    async () => {
      const { checkpointFile } = running.database;
      await rename(checkpointFile, `${checkpointFile}.taken`);
      await mkdir(checkpointFile);
      onTestFinished(async () => {
        await rmdir(checkpointFile);
        await rename(`${checkpointFile}.taken`, checkpointFile);
      });
      await expect(signDueChains(running.app)).rejects.toMatchObject({ name: 'SigningRefused' });
    },
    { chain: 'broken', verify: 'broken' },
  ],
  // What was signed about the chain itself stays proven; only the path into the head log is missing. Verification also walks
  // the head log, so it reports both.
  ['the head of the log is invalid', sql(`UPDATE log_head SET note = 'nonsense'`), { chain: 'broken' }],
  [
    "another center's checkpoint is missing",
    sql('DELETE FROM checkpoint WHERE chain_id = $foreign'),
    { chain: 'broken' },
  ],
];

const ofDecisions: typeof everywhere = [
  [
    'an approval is deleted',
    sql('DELETE FROM approval WHERE event_id = $event AND content #>> $${approver,id}$$ = $$boss$$'),
    refuted,
  ],
  ['all approvals are deleted', sql('DELETE FROM approval WHERE event_id = $event'), refuted],
  [
    'a member of the decision is deleted',
    sql('UPDATE decision_event SET content = content #- $${actor,name}$$ WHERE id = $event'),
    refuted,
  ],
  [
    'the decision is deleted',
    sql('DELETE FROM decision_event WHERE id = $event'),
    { ...refuted, ...nowhere },
  ],
  [
    'the journal has no head',
    sql('DELETE FROM ledger_chain WHERE id = $journal'),
    { ...uncertified, chain: 'broken', verify: 'broken' },
  ],
  [
    'the journal record of the outcome is deleted',
    sql('DELETE FROM ledger_record WHERE chain_id = $journal AND index = $outcome'),
    { ...uncertified, chain: 'broken', verify: 'broken' },
  ],
  [
    'the journal record of the outcome cannot be parsed',
    sql(`UPDATE ledger_record SET content = '{' WHERE chain_id = $journal AND index = $outcome`),
    { ...uncertified, chain: 'broken', verify: 'broken' },
  ],
];

const place = (name: string) => ({ ...targets[name]!, chainId: chain[targets[name]!.domain]! });

/** A platform record is not evidence, and names the responsible person without a sealed decision. */
const ofRecord = (told: Told): Told => ({
  ...told,
  evidence: null,
  evidenceExport: null,
  ...(told.responsibility === BROKEN && told.read !== BROKEN && { responsibility: 'shown' }),
});

test('unbroken data is returned on every path', async () => {
  expect(await paths(targets['decision']!)).toEqual(whole);
  expect(await paths(targets['record']!)).toEqual(ofRecord(whole));
});

describe('a decision', () => {
  test.each([...everywhere, ...ofKeysAndLog, ...ofDecisions])('%s', async (_, broken, told) => {
    await broken(place('decision'));
    expect(await paths(targets['decision']!)).toEqual({ ...whole, ...told });
  });
});

describe('a platform record', () => {
  test.each(everywhere)('%s', async (_, broken, told, other = told) => {
    await broken(place('record'));
    expect(await paths(targets['record']!)).toEqual(ofRecord({ ...whole, ...other }));
  });
});

describe('an approval is rejected with CHAIN_BROKEN', () => {
  const journal = (event: () => string, change: string) => () =>
    backDoor.db.query(
      `UPDATE ledger_record r SET content = ${change} FROM (
         SELECT journal_index FROM decision_event WHERE id = '${event()}'
         UNION SELECT journal_index FROM approval WHERE event_id = '${event()}') p
       WHERE r.chain_id = ${chain['journal']} AND r.index = p.journal_index`,
    );
  const rows: [name: string, broken: () => Promise<unknown>, event: () => string][] = [
    ['the recorded entry cannot be parsed', journal(() => waiting, `'{'`), () => waiting],
    ['the recorded entry is null', journal(() => waiting, `'null'`), () => waiting],
    ['the first approval cannot be parsed', journal(() => halfway, `'{'`), () => halfway],
    [
      'the journal has no head',
      () => backDoor.db.query('DELETE FROM ledger_chain WHERE id = $1', [chain['journal']]),
      () => waiting,
    ],
    [
      'the salts are missing',
      () => backDoor.db.query(`UPDATE decision_event SET salts = '{}' WHERE id = $1`, [waiting]),
      () => waiting,
    ],
  ];
  test.each(rows)('if %s', async (_, broken, event) => {
    await broken();
    const { status, body } = await stage.approve(event(), second);
    expect([status, body.error?.code]).toEqual([422, 'CHAIN_BROKEN']);
  });
});
