/**
 * What a database superuser can do to a center, and what the three verifications report: the service, the command on the
 * database and the command on the server give the same verdict, with the place and, for a visible row, the member.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bareEnvironment } from '../helpers/process.ts';
import { at, backDoor, ids, running, stage, verdict, withSourceOpenedAnew } from './attacked-center.ts';
import { attacks, edit, onChain, putBack } from './attacks.ts';

test('an unchanged center is valid', async () => {
  expect(await verdict()).toMatchObject({ valid: true, brokenAt: [], differences: [], first: null });
  expect(await brokenAlone()).toEqual([]);
});

test.each(attacks)('%s: service, database and remote verification report it', async (_, sql, expected) => {
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
    'its domain, or its outcome',
    [
      edit('dpu', 'record 0', `domain = 'proof', reference_type = 'decision-event'`),
      () => `UPDATE outcome SET large = '{"outcome.output": {"paid":2}}' WHERE event_id = '${ids['sealed']}'`,
    ],
    ['record 0', 'dpu of sealed'],
  ],
  [
    'its leaf in the tree, which its neighbor needs, or its decision',
    [
      onChain(
        'platform',
        `UPDATE ledger_node SET hash = repeat('0', 64) WHERE chain_id = $chain AND level = 0 AND index = 1`,
      ),
      edit('decision_event', 'twice', `large = '{"action.output": {}}'`),
    ],
    ['record 0', 'record 1', 'dpu of twice'],
  ],
  [
    'a node of the tree that its proof needs',
    [onChain('platform', 'DELETE FROM ledger_node WHERE chain_id = $chain AND level = 1 AND index = 0')],
    ['record 2', 'record 3'],
  ],
];

test.each(ofOne)('verifying a single record fails after a change of %s', async (_, sql, broken) => {
  await backDoor.db.query(sql.map((each) => each()).join(';'));
  expect(await brokenAlone()).toEqual(broken);
});

test('the verify command reports chain, record and member, and exits with 1', async () => {
  await backDoor.db.query(edit('decision_event', 'rejected', `content = content #- '{actor,name}'`)());
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
