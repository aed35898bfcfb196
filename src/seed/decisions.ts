import type { Vertical } from '../db/generated/prisma/enums.ts';
import type { AddApprovalInput, RecordDecisionInput } from '../domain/proof/input.ts';

interface DemoDecision {
  input: RecordDecisionInput;
  approval?: AddApprovalInput;
}

const approver = { id: 'alex-admin', type: 'human', name: 'Alex Admin' } as const;

/** What is decided in each line of business of the demonstration; others show the general case. */
const subjects: Partial<Record<Vertical, { type: string; description: string; subject: string }>> = {
  rehabilitation: {
    type: 'therapy.plan.adjust',
    description: 'Extend occupational therapy by four sessions',
    subject: 'therapy plan 2026-041',
  },
  education: {
    type: 'course.placement',
    description: 'Place the learner in the advanced mathematics course',
    subject: 'learner 1187',
  },
};
const general = { type: 'support.grant', description: 'Grant weekly home support', subject: 'case 77' };

export function decisionsOf(vertical: Vertical): DemoDecision[] {
  const { type, description, subject } = subjects[vertical] ?? general;
  return [
    {
      input: {
        type: 'ai_recommendation',
        idempotencyKey: 'demo-sealed',
        actor: { id: 'planning-assistant', type: 'ai_agent', name: 'Planning assistant' },
        action: { type, description, input: { subject }, output: { recommendation: 'approve' } },
        aiContext: {
          model: 'demo-model-1',
          provider: 'demo',
          confidence: 0.93,
          reasoning: 'Progress over the last eight weeks is steady and the goal is within reach.',
        },
        tags: ['demo', vertical],
      },
      approval: { approver, result: 'approved', reason: 'Agreed with the team on Monday.' },
    },
    {
      input: {
        type: 'automated_action',
        idempotencyKey: 'demo-waiting',
        actor: { id: 'scheduler', type: 'system', name: 'Scheduler' },
        action: { type: 'booking.move', description: 'Move a booking by one hour', input: { subject } },
        tags: ['demo', 'booking'],
      },
    },
    {
      input: {
        type: 'escalation',
        idempotencyKey: 'demo-rejected',
        actor: { id: 'front-desk', type: 'human', name: 'Front desk' },
        action: { type: 'fee.waive', description: 'Waive the registration fee', input: { subject } },
        tags: ['demo', 'billing'],
      },
      approval: { approver, result: 'rejected', reason: 'The budget for waivers is spent.' },
    },
  ];
}
