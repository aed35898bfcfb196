import { onTestFinished } from 'vitest';
import { notifyOfDecisions } from '../../src/domain/notifications/notify.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { type MailServer, startMailServer } from '../helpers/mail.ts';
import { makeMember } from '../helpers/world.ts';
import { proofStage } from '../proof/stage.ts';

/** The value of the field. */
export type Answer = ReturnType<typeof JSON.parse>;
export type Member = Awaited<ReturnType<typeof makeMember>>;
export type NotificationStage = Awaited<ReturnType<typeof notificationStage>>;

/** A center with a worker and a mail server, and the calls for notification tests. */
export async function notificationStage(env: Record<string, string> = {}) {
  const mail = await startMailServer(() => 0);
  onTestFinished(() => mail.stop());
  const running = await testApp({ worker: true, env: { MAIL_URL: mail.url, ...env } });
  const stage = await stageOn(running);
  const { app, center, notify } = stage;
  /** Waits until every queued mail has been sent or dropped. */
  const settled = () =>
    eventually(async () => (await app.db.acrossTenants.mail.count({ where: { status: 'WAITING' } })) === 0);
  const told = async (member: Member): Promise<number> => {
    await notify();
    await settled();
    return mailsTo(mail, member).length;
  };
  /** The worker, which looks for new decisions every few seconds, sees those of `work` only when it is done. */
  const unseen = async (work: () => Promise<void>): Promise<void> => {
    const move = (journal: { increment: number } | { decrement: number }) =>
      app.db.acrossTenants.notificationPosition.update({ where: { centerId: center.id }, data: { journal } });
    await notify();
    await move({ increment: FAR_AHEAD });
    await work();
    await move({ decrement: FAR_AHEAD });
  };
  return { ...stage, mail, mailsTo: (member: Member) => mailsTo(mail, member), settled, told, unseen };
}

/** More entries than any test writes. */
const FAR_AHEAD = 1_000_000;

const mailsTo = ({ arrived }: MailServer, { actor }: Member) =>
  arrived.filter(({ to }) => to?.some(({ address }) => address === actor.email));

export async function stageOn(running: TestApp) {
  const { app } = running;
  const proof = await proofStage(running);
  const ask = async (document: string, variables: object = {}, token = proof.token): Promise<Answer> => {
    const { data, errors } = await running.graphql(document, { ...variables }, token);
    return errors ? { code: errors[0]!.extensions?.['code'] } : Object.values(data)[0];
  };
  const member = (role: 'ADMIN' | 'INSTRUCTOR' = 'INSTRUCTOR') => makeMember(app, proof.center.id, role);
  let named = 0;
  const group = async (...members: Member[]): Promise<string> => {
    const input = { name: `Group ${named++}` };
    const { id } = await ask('mutation ($input: CreateGroupInput!) { createGroup(input: $input) { id } }', {
      input,
    });
    const membershipIds = members.map(({ membership }) => membership.id);
    await ask('mutation ($input: SetGroupMembersInput!) { setGroupMembers(input: $input) { id } }', {
      input: { id, membershipIds },
    });
    return id;
  };
  /** Creates a policy for a new action type; returns that type. */
  const ruled = async (guards: object): Promise<string> => {
    const actionType = `payment.kind${named++}`;
    const input = { scope: 'CENTER', name: actionType, actionPattern: actionType, guards };
    await ask('mutation ($input: CreatePolicyInput!) { createPolicy(input: $input) { id } }', { input });
    return actionType;
  };
  const record = (type: string, description = 'Pay the invoice') =>
    proof.record({ action: { type, description } });
  const approve = (eventId: string, { token }: { token: string }, result = 'approved') =>
    ask(
      'mutation ($input: ApproveDecisionInput!) { approveDecision(input: $input) { evidenceLevel } }',
      { input: { eventId, result } },
      token,
    );
  const choose = (frequency: string, { token }: Member) =>
    ask(`mutation { notificationSettings(input: { mail: ${frequency} }) { mail } }`, {}, token);
  // The worker may be at it.
  const notify = (now?: Date) => eventually(() => notifyOfDecisions(app, now));
  return { ...proof, running, app, ask, member, group, ruled, record, approve, choose, notify };
}
