import { systemContext } from '../../src/domain/context.ts';
import { type RecordDecisionInput, recordDecisionInput } from '../../src/domain/decisions/input.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import type { Call } from './http.ts';
import type { Stage } from './stage.ts';

/** The decision that is recorded repeatedly. */
export const decision: RecordDecisionInput = recordDecisionInput.parse({
  type: 'agent_execution',
  actor: { id: 'triage-bot', type: 'ai_agent', name: 'Triage' },
  action: { type: 'appointment.move', input: { from: 'Mon', to: 'Tue' }, output: { moved: true } },
  aiContext: { model: 'example-1', provider: 'example', confidence: 0.93, reasoning: 'fits the plan' },
  tags: ['bench', 'appointments'],
});
const approval = {
  approver: { id: 'alex', type: 'human', name: 'Alex' },
  result: 'approved',
  reason: 'Agreed.',
};
export const [decisionBody, approvalBody] = [JSON.stringify(decision), JSON.stringify(approval)];

export const EVENTS = '/api/v1/decision-events';

const post = (path: string, key: string, body: string): Call => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
  body,
});

export const recordingWith = (key: string): Call => post(EVENTS, key, decisionBody);
export const approvalOf = (eventId: string, key: string): Call =>
  post(`${EVENTS}/${eventId}/approvals`, key, approvalBody);

/** The same on behalf of one of several approvers. */
export const approvalBodyBy = (approver: string) =>
  JSON.stringify({ ...approval, approver: { ...approval.approver, id: approver } });
export const approvalBy = (approver: string, eventId: string, key: string): Call =>
  post(`${EVENTS}/${eventId}/approvals`, key, approvalBodyBy(approver));

const AT_ONCE = 500;

/** Records decisions in a center without HTTP and returns the ids of the events, which wait for approval. */
export async function recordWaiting(
  { app }: Stage,
  centerId: number,
  count: number,
  recordedAt = () => new Date(),
): Promise<string[]> {
  const ctx = systemContext(app, 'bench', centerId);
  const ids: string[] = [];
  while (ids.length < count) {
    const recorded = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, () =>
        recordDecision({ ...ctx, now: recordedAt() }, decision),
      ),
    );
    ids.push(...recorded.map(({ event }) => event.id));
  }
  return ids;
}
