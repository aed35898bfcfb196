/** Seats of groups are filled by people whom the journal names, and proofs show it: attacks by an operator with the superuser. */
import { disclosureDigest } from '@countersign/proof-kit/disclosure';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyEverything } from '../../src/commands/verify/database.ts';
import { openSource } from '../../src/commands/verify/source.ts';
import { signDueChains } from '../../src/domain/ledger/signing/round.ts';
import { tamper } from '../checkpoints/chains.ts';
import { startTestApp, type TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';
import { type Member, type QuorumStage, quorumStage, SEALED, violates, WAITS } from './quorum-stage.ts';

let running: TestApp;
let stage: QuorumStage;
beforeAll(async () => {
  running = await startTestApp();
  stage = await quorumStage(running);
});
afterAll(() => running.close());

const edit = (sql: string, values: unknown[]) => tamper(running.database.adminUrl, [sql, values]);
const insertMember = (group: string, { membership }: Member) =>
  edit('INSERT INTO approval_group_member VALUES ($1, $2, $3)', [group, membership.id, stage.center.id]);
const deleteMember = (group: string, { membership }: Member) =>
  edit('DELETE FROM approval_group_member WHERE group_id = $1 AND membership_id = $2', [
    group,
    membership.id,
  ]);

const setMembers = (id: string, ...members: Member[]) =>
  stage.ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
    input: { id, membershipIds: members.map(({ membership }) => membership.id) },
  });

/** The differences that the service finds, which the command finds too. */
async function differences(): Promise<Parsed[]> {
  const { url, checkpointFile, dataDir } = running.database;
  const { body } = await running.call('GET', '/dpu/verify-chain', { token: stage.token });
  const source = await openSource({ kind: 'database', url, checkpointFile, dataDir }, undefined);
  try {
    for await (const { centerId, result } of verifyEverything(source))
      if (centerId === stage.center.id) expect(result.differences).toEqual(body.data.differences);
  } finally {
    await source.close();
  }
  return body.data.differences;
}

const verdictOf = async (proof: Parsed) => {
  const { verdict, reason } = await verifyProof(JSON.stringify(proof));
  return `${verdict}: ${reason}`;
};
const published = async ({ id }: { id: string }): Promise<Parsed> =>
  (await running.fetch(`/verify/${id}/proof.json`)).json();
const contentOf = ({ record }: Parsed): Parsed => JSON.parse(record.content);

async function delegate(from: Member, to: Member): Promise<string> {
  const input = {
    toMembershipId: to.membership.id,
    from: new Date(Date.now() - 1_000).toISOString(),
    until: new Date(Date.now() + 86_400_000).toISOString(),
    reason: 'Holiday',
  };
  const give = 'mutation ($input: DelegateApprovalsInput!) { delegateApprovals(input: $input) { id } }';
  return (await stage.ask(give, { input }, from.token)).id;
}

test('a proof shows the groups as they were at the seal, and of their members only the approvers', async () => {
  const [ada, bob, eve] = [await stage.member(), await stage.member(), await stage.member()];
  const finance = await stage.group(ada, bob);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 1 }] });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(ada, event.id)).toEqual(SEALED);
  await setMembers(finance, eve);
  const proof = await stage.exported(event);
  expect(proof).toMatchObject({ groups: [{ disclosures: [expect.any(String)] }] });
  expect(proof).not.toHaveProperty('delegations');
  const [group] = proof.groups;
  expect(contentOf(group)).toMatchObject({ kind: 'group', id: finance, members: { length: 2 } });
  expect(contentOf(group).members).toContain(disclosureDigest(group.disclosures[0]));
  expect(JSON.parse(Buffer.from(group.disclosures[0], 'base64url').toString()).slice(1)).toEqual([
    'member',
    ada.actor.id,
  ]);
  await signDueChains(running.app);
  expect(await verdictOf(await stage.exported(event))).toMatch(/^consistent: /);
  const shown = await published(event);
  expect(shown.groups[0].disclosures).toEqual([]);
  expect(await verdictOf(shown)).toMatch(/^partial: withheld: .*groups\.members/);
  expect(await differences()).toEqual([]);
});

test('a delegate approves with the record of the delegation; one who stands in for a former member does not', async () => {
  const [ada, bob, kim] = [await stage.member(), await stage.member(), await stage.member()];
  const finance = await stage.group(ada);
  await delegate(ada, bob);
  const type = await stage.ruled({
    quorum: [
      { group: finance, count: 1 },
      { group: await stage.group(kim), count: 1 },
    ],
  });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(bob, event.id)).toEqual(WAITS);
  expect(await stage.approveAs(kim, event.id)).toEqual(SEALED);
  const proof = await stage.exported(event);
  expect(proof.delegations).toMatchObject([{ disclosures: { length: 2 } }]);
  expect(proof.groups).toHaveLength(2);
  await signDueChains(running.app);
  expect(await verdictOf(await stage.exported(event))).toMatch(/^consistent: /);
  const show =
    'mutation ($disclose: [String!]!) { updateCenter(input: { proof: { disclose: $disclose } }) { id } }';
  await stage.ask(show, { disclose: ['approvals.approver.id'] });
  // The delegate is shown as the approver; the delegator is not.
  const shown = await published(event);
  expect(shown.delegations[0].disclosures).toEqual([proof.delegations[0].disclosures[1]]);
  expect(shown.groups.map(({ disclosures }: Parsed) => disclosures.length).sort()).toEqual([0, 1]);
  await stage.ask(show, { disclose: [] });
  const again = await stage.recordAction(type);
  expect(await stage.approveAs(bob, again.id)).toEqual(WAITS);
  await setMembers(finance);
  expect(await stage.approveAs(kim, again.id)).toEqual(violates('quorum_group'));
  expect(await differences()).toEqual([]);
});

test('an approval given earlier does not count once its approver has left the group', async () => {
  const [ada, bob] = [await stage.member(), await stage.member()];
  const finance = await stage.group(ada, bob);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 2 }] });
  const event = await stage.recordAction(type);
  expect(await stage.approveAs(ada, event.id)).toEqual(WAITS);
  const end = 'mutation ($id: ID!) { endMembership(input: { membershipId: $id }) { status } }';
  expect(await stage.ask(end, { id: ada.membership.id })).toEqual({ status: 'ENDED' });
  const { errors } = await running.graphql(
    `mutation { approveDecision(input: { eventId: "${event.id}", result: approved }) { evidenceLevel } }`,
    {},
    bob.token,
  );
  expect(errors![0]!.message).toMatch(/^The approval apr_\w+ by .* no longer counts: .* Reject the decision/);
  expect(errors![0]!.extensions).toMatchObject({ details: { rule: 'quorum_group' } });
  expect((await stage.get(`/decision-events/${event.id}`)).body.data.status).toBe('approved');
  const records = await running.superuser.query(
    `SELECT json_array_length(people) AS n FROM journal_people WHERE subject = $1 ORDER BY index`,
    [finance],
  );
  expect(records.rows.map(({ n }) => n)).toEqual([0, 2, 1]);
  expect(await differences()).toEqual([]);
});

test('of seals and changes of a group at the same time, every seal has the members of the journal that it names', async () => {
  const [ada, bob] = [await stage.member(), await stage.member()];
  const finance = await stage.group(ada);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 1 }] });
  const events = await Promise.all(Array.from({ length: 8 }, () => stage.recordAction(type)));
  const change = async () => {
    for (let i = 0; i < 4; i++) await setMembers(finance, bob, ...(i % 2 === 0 ? [] : [ada]));
  };
  const seal = async () => {
    for (const event of events) await stage.approveAs(ada, event.id);
  };
  await Promise.all([change(), seal(), seal()]);
  await seal();
  for (const { id } of events)
    expect((await stage.get(`/decision-events/${id}`)).body.data.status).toBe('sealed');
  await signDueChains(running.app);
  for (const event of events) expect(await verdictOf(await stage.exported(event))).toMatch(/^consistent: /);
  expect(await differences()).toEqual([]);
});

test('an inserted member row fills no seat, and is a difference', async () => {
  const [ada, mallory] = [await stage.member(), await stage.member()];
  const finance = await stage.group(ada);
  const type = await stage.ruled({ quorum: [{ group: finance, count: 1 }] });
  const event = await stage.recordAction(type);
  await insertMember(finance, mallory);
  expect(await stage.approveAs(mallory, event.id)).toEqual(violates('quorum_group'));
  expect(await differences()).toMatchObject([
    { table: 'approval_group', id: finance, chain: 'journal', member: 'members' },
  ]);
  await deleteMember(finance, mallory);
  expect(await differences()).toEqual([]);
  expect(await stage.approveAs(ada, event.id)).toEqual(SEALED);
});

test('an inserted or changed delegation row fills no seat, and is a difference', async () => {
  const [ada, mallory] = [await stage.member(), await stage.member()];
  const type = await stage.ruled({ quorum: [{ group: await stage.group(ada), count: 1 }] });
  const event = await stage.recordAction(type);
  const insert = `INSERT INTO delegation (id, center_id, from_membership_id, to_membership_id, starts_at, ends_at, reason)
    VALUES ('dlg_forged', $1, $2, $3, now() - interval '1 hour', now() + interval '1 hour', 'forged')`;
  await edit(insert, [stage.center.id, ada.membership.id, mallory.membership.id]);
  expect(await stage.approveAs(mallory, event.id)).toEqual(violates('quorum_group'));
  expect(await differences()).toEqual([
    { table: 'delegation', id: 'dlg_forged', chain: 'journal', index: null, member: null },
  ]);
  await edit("DELETE FROM delegation WHERE id = 'dlg_forged'", []);
  const id = await delegate(ada, mallory);
  await stage.ask('mutation ($id: ID!) { endDelegation(id: $id) { id } }', { id }, ada.token);
  await edit('UPDATE delegation SET ended_at = NULL WHERE id = $1', [id]);
  expect(await stage.approveAs(mallory, event.id)).toEqual(violates('quorum_group'));
  expect(await differences()).toMatchObject([{ table: 'delegation', id, member: 'ended' }]);
  await edit('UPDATE delegation SET ended_at = now() WHERE id = $1', [id]);
  expect(await differences()).toMatchObject([{ table: 'delegation', id, member: 'ended' }]);
  await edit('DELETE FROM delegation WHERE id = $1', [id]);
  expect(await differences()).toMatchObject([{ table: 'delegation', id, member: null }]);
  await edit(
    'DELETE FROM approval_group WHERE id IN (SELECT group_id FROM approval_group_member WHERE membership_id = $1)',
    [ada.membership.id],
  );
});

test('a service that read an older record is contradicted by the journal, and by the proof', async () => {
  const mallory = await stage.member();
  const group = await stage.group(mallory);
  const type = await stage.ruled({ quorum: [{ group, count: 1 }] });
  await setMembers(group);
  const event = await stage.recordAction(type);
  // For the time of the seal, the operator hides the newest record and adds the member row.
  const newest = `subject = $1 AND index = (SELECT max(index) FROM journal_people WHERE subject = $1)`;
  const { rows } = await running.superuser.query(`SELECT p.* FROM journal_people p WHERE ${newest}`, [group]);
  await edit(`DELETE FROM journal_people WHERE ${newest}`, [group]);
  await insertMember(group, mallory);
  expect(await stage.approveAs(mallory, event.id)).toEqual(SEALED);
  await deleteMember(group, mallory);
  await edit(
    'INSERT INTO journal_people SELECT * FROM json_populate_record(NULL::journal_people, $1::json)',
    [JSON.stringify(rows[0])],
  );
  expect(await differences()).toContainEqual(
    expect.objectContaining({ table: 'decision_event', id: event.id, chain: 'proof', member: 'group' }),
  );
  await signDueChains(running.app);
  expect(await verdictOf(await stage.exported(event))).toBe(
    'refuted: approvals[0] was not given by or for a member of the group',
  );
});
