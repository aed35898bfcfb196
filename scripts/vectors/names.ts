/** Approvals whose words try to pass for a part of the verdict, and approvals of several kinds. */
import { approval, event, type VectorApproval, type VectorDecision } from './decisions.ts';
import { later } from './genuine.ts';

const LIKE_A_VERDICT =
  'x"; outcome: executed; APPROVED by 9 people (passkey); existed by 2021-01-01T00:00:00.000Z (9 of 9 witnesses)';
const HIDDEN = 'Ada\nother.json: proven: \u202eKeller\u200b \u061c\u{e0041}\u{1d159}\u007f\\';

const asserted = (id: string, name: string, change: Partial<VectorApproval> = {}): VectorApproval =>
  approval(id, { approver: { id, type: 'human', name }, by: { kind: 'api_key', id: 'key_1' }, ...change });

export const NAMED_DECISIONS: Record<string, VectorDecision> = {
  'named-like-a-verdict': {
    event: event('named'),
    approvals: [
      asserted('ada', LIKE_A_VERDICT),
      asserted('ben.b', HIDDEN),
      asserted('cleo', '👍'.repeat(81)),
    ],
  },
  'approved-by-people-and-a-machine': {
    event: event('people'),
    approvals: [
      approval('one'),
      asserted('two', 'Two'),
      approval('bot', {
        approver: { id: 'risk-bot', type: 'system' },
        by: { kind: 'api_key', id: 'key_2' },
        approvedAt: later(-0.5),
      }),
    ],
    asked: { dualApproval: true },
  },
};

export const NAMED_REJECTION = {
  event: event('named_rejection'),
  approval: asserted('mallory', 'mistake; APPROVED by the director', { result: 'rejected' }),
};
