/** Attacks of an operator on mandates: the verification of chains counts their uses again and finds each of them. */
import { compareProofs } from '@countersign/proof-kit/compare-proofs';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { expect, test } from 'vitest';
import { verifyEverything } from '../../src/commands/verify/database.ts';
import { openSource } from '../../src/commands/verify/source.ts';
import { tamper } from '../checkpoints/chains.ts';
import { testApp } from '../helpers/app.ts';
import { proofStage } from '../proof/stage.ts';

interface Found {
  table: string;
  id: string;
  member: string | null;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
let agents = 0;

async function makeAttack() {
  const running = await testApp();
  const stage = await proofStage(running);
  const { url, checkpointFile, dataDir, adminUrl } = running.database;
  const edit = (sql: string, values: unknown[]) => tamper(adminUrl, [sql, values]);

  /** What the service and the command both report: table, id and member of each difference. */
  const differences = async (): Promise<Found[]> => {
    const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
    const source = await openSource({ kind: 'database', url, checkpointFile, dataDir }, undefined);
    try {
      for await (const { centerId, result } of verifyEverything(source))
        if (centerId === stage.center.id) expect(result.differences).toEqual(body.data.differences);
    } finally {
      await source.close();
    }
    return body.data.differences.map(({ table, id, member }: Found) => ({ table, id, member }));
  };

  /** A mandate that a human granted, and calls of its agent. */
  const grant = async (terms: object = {}) => {
    const agent = `agent-${++agents}`;
    const { body } = await stage.post('/mandates', {
      agent: { id: agent },
      actionPattern: 'refund.*',
      validUntil: inDays(7),
      reason: 'Small refunds need no person.',
      budget: { member: 'amount', limit: 100 },
      ...terms,
    });
    const { mandateId, eventId } = body.data;
    expect(await stage.approveInPerson(eventId)).toHaveProperty('sealedHash');
    const action = { type: 'refund.grant', description: 'A refund', input: { amount: 10 } };
    const use = async (): Promise<{ eventId: string; mandate?: { use: number } }> =>
      (await stage.post('/agents/decide', { agent: { id: agent }, action, riskScore: 0.95 })).body.data;
    const setRow = (assignment: string) =>
      edit(`UPDATE mandate SET ${assignment} WHERE id = $1`, [mandateId]);
    /** Replaces one member of the terms that the service reads, or removes it; returns how to restore them. */
    const setTerm = async (name: string, value: unknown) => {
      const { rows } = await running.superuser.query('SELECT large FROM decision_event WHERE id = $1', [
        eventId,
      ]);
      const write = (large: object) =>
        edit('UPDATE decision_event SET large = $2 WHERE id = $1', [eventId, JSON.stringify(large)]);
      const changed = { ...rows[0].large['action.input'], [name]: value };
      await write({ ...rows[0].large, 'action.input': changed });
      return () => write(rows[0].large);
    };
    const revoke = () => running.call('DELETE', `/v1/mandates/${mandateId}`, { token: stage.key });
    const ofRow = (...members: (string | null)[]) =>
      members.map((member) => ({ table: 'mandate', id: mandateId, member }));
    return { mandateId, eventId, use, setRow, setTerm, revoke, ofRow };
  };
  const proofOf = async (eventId: string) => (await stage.get(`/decision-events/${eventId}/export`)).text;
  return { ...running, stage, edit, differences, grant, proofOf };
}

const byMandate = (eventId: string) => ({ table: 'decision_event', id: eventId, member: 'mandate' });

test('a revoked and exhausted mandate that works again after one UPDATE is reported before and after its use', async () => {
  const { differences, grant, proofOf } = await makeAttack();
  const { use, revoke, setRow, ofRow } = await grant({ maxUses: 2 });
  const first = await use();
  await use();
  expect((await revoke()).status).toBe(204);
  expect(await differences()).toEqual([]);
  expect(await use()).not.toHaveProperty('mandate.use');

  await setRow(`used = 0, spent = 0, last_use = '', revoked_at = NULL`);
  expect(await differences()).toEqual(ofRow('used', 'spent', 'lastUse', 'revokedAt'));
  const again = await use();
  expect(again.mandate).toMatchObject({ use: 1 });
  expect(await differences()).toEqual([byMandate(again.eventId), ...ofRow('used', 'spent', 'revokedAt')]);

  // Without the database, the two proofs tell.
  const proofs = await Promise.all(
    [first, again].map(async ({ eventId }) => ({
      name: eventId,
      verdict: await verifyProof(await proofOf(eventId)),
    })),
  );
  expect(proofs.map(({ verdict }) => verdict.verdict)).not.toContain('refuted');
  expect(compareProofs(proofs).map(({ verdict }) => verdict.reason)).toEqual([
    expect.stringContaining('another use 1 of the mandate'),
    expect.stringContaining('another use 1 of the mandate'),
  ]);
}, 120_000);

test('a use after the revocation is reported, although its number and total fit', async () => {
  const { differences, grant } = await makeAttack();
  const { use, revoke, setRow, ofRow } = await grant();
  await use();
  await revoke();
  await setRow('revoked_at = NULL');
  expect(await differences()).toEqual(ofRow('revokedAt'));
  const late = await use();
  expect(late.mandate).toMatchObject({ use: 2 });
  expect(await differences()).toEqual([byMandate(late.eventId), ...ofRow('revokedAt')]);
  await setRow('revoked_at = now()');
  expect(await differences()).toEqual([byMandate(late.eventId)]);
}, 120_000);

test.each([
  ['a repeated number', 'used = used - 1'],
  ['a gap', 'used = used + 1'],
  ['a wrong sum', 'spent = 0'],
  ['a wrong predecessor', `last_use = repeat('f', 64)`],
])(
  '%s is reported with the use',
  async (_, assignment) => {
    const { differences, grant } = await makeAttack();
    const { use, setRow, ofRow } = await grant();
    await use();
    await use();
    await setRow(assignment);
    const { eventId, mandate } = await use();
    expect(mandate).toBeDefined();
    const reported = await differences();
    expect(reported[0]).toEqual(byMandate(eventId));
    for (const each of reported.slice(1)) expect(ofRow('used', 'spent')).toContainEqual(each);
  },
  120_000,
);

test.each([
  ['exhaustion', { maxUses: 1 }, 'maxUses', 9],
  ['an empty budget', { budget: { member: 'amount', limit: 10 } }, 'budget', { member: 'amount', limit: 99 }],
  ['the dates', { maxUses: 9, validFrom: inDays(1) }, 'validFrom', undefined],
])(
  'a use outside %s is reported once the terms are restored',
  async (_, terms, name, value) => {
    const { differences, grant } = await makeAttack();
    const { use, setTerm } = await grant(terms);
    if (name !== 'validFrom') await use();
    expect(await use()).not.toHaveProperty('mandate.use');
    const restore = await setTerm(name, value);
    const { eventId, mandate } = await use();
    expect(mandate).toBeDefined();
    await restore();
    expect(await differences()).toEqual([byMandate(eventId)]);
  },
  120_000,
);

test('a mandate that was deleted, or that points to another grant, is reported', async () => {
  const { differences, grant, edit } = await makeAttack();
  const [one, other] = [await grant(), await grant()];
  await one.use();
  await edit('DELETE FROM mandate WHERE id = $1', [one.mandateId]);
  expect(await differences()).toEqual(one.ofRow(null));
  await edit('UPDATE mandate SET event_id = $2 WHERE id = $1', [other.mandateId, one.eventId]);
  expect(await differences()).toEqual(other.ofRow('eventId', 'used', 'spent', 'lastUse'));
}, 120_000);
