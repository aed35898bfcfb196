import type { Vertical } from '../db/generated/prisma/enums.ts';
import type { AddApprovalInput, RecordDecisionInput } from '../domain/decisions/input.ts';
import { accounts } from './accounts.ts';

interface DemoDecision {
  input: RecordDecisionInput;
  approval?: AddApprovalInput;
}

/** An appointment that the scheduler wants to move by one hour. */
interface Appointment {
  startsAt: Date;
  note: string | null;
}

interface Story {
  subject: string;
  recommended: { type: string; description: string; reasoning: string; reason: string };
  /** What the scheduler moves if the center has no bookings. */
  moved: string;
  waiver: { description: string; amount: number; reason: string };
}

/** One case for each vertical of the demo centers. */
const stories: Partial<Record<Vertical, Story>> = {
  rehabilitation: {
    subject: 'therapy plan 2026-041',
    recommended: {
      type: 'therapy.plan.adjust',
      description: 'Extend occupational therapy by four sessions',
      reasoning: 'Progress over the last eight weeks is steady and the goal is within reach.',
      reason: 'Agreed with the therapist and the guardian.',
    },
    moved: 'Move the next session by one hour',
    waiver: {
      description: 'Waive the €25 fee for a late cancellation',
      amount: 2_500,
      reason: 'The session was canceled two hours before it began, so the fee applies.',
    },
  },
  education: {
    subject: 'learner 1187',
    recommended: {
      type: 'course.placement',
      description: 'Place the learner in the advanced mathematics course',
      reasoning: 'The results of the last two terms are well above the level of the present course.',
      reason: 'Agreed with the mathematics teachers.',
    },
    moved: 'Move the next mathematics lesson by one hour',
    waiver: {
      description: 'Waive the €40 materials fee',
      amount: 4_000,
      reason: 'The materials fund pays for this; the family can apply to it.',
    },
  },
};
const generalStory: Story = {
  subject: 'case 77',
  recommended: {
    type: 'support.grant',
    description: 'Grant weekly home support',
    reasoning: 'Three of the four criteria of the support program are met.',
    reason: 'The home visit confirmed the need.',
  },
  moved: 'Move the next home visit by one hour',
  waiver: {
    description: 'Waive the €15 travel charge',
    amount: 1_500,
    reason: 'Travel is part of the agreed contribution.',
  },
};

const HOUR_MS = 3_600_000;
const administrator = accounts.find(({ email }) => email === 'admin@demo.test')!;
const approver = { id: administrator.email, type: 'human', name: administrator.name } as const;

/** A sealed, a waiting and a rejected decision about the same case. */
export function decisionsOf(
  vertical: Vertical,
  timezone: string,
  appointment: Appointment | null,
): DemoDecision[] {
  const { subject, recommended, moved, waiver } = stories[vertical] ?? generalStory;
  return [
    {
      input: {
        type: 'ai_recommendation',
        idempotencyKey: 'demo-sealed',
        actor: { id: 'planning-assistant', type: 'ai_agent', name: 'Planning assistant' },
        action: {
          type: recommended.type,
          description: recommended.description,
          input: { subject },
          output: { recommendation: 'approve' },
        },
        aiContext: {
          model: 'demo-model-1',
          provider: 'demo',
          confidence: 0.93,
          reasoning: recommended.reasoning,
        },
        tags: ['demo', vertical],
      },
      approval: { approver, result: 'approved', reason: recommended.reason },
    },
    {
      input: {
        type: 'automated_action',
        idempotencyKey: 'demo-waiting',
        actor: { id: 'scheduler', type: 'system', name: 'Scheduler' },
        action: {
          type: 'booking.move',
          ...(appointment
            ? moveOf(subject, appointment, timezone)
            : { description: moved, input: { subject } }),
        },
        tags: ['demo', 'booking'],
      },
    },
    {
      input: {
        type: 'escalation',
        idempotencyKey: 'demo-rejected',
        actor: { id: 'front-desk', type: 'human', name: 'Front desk' },
        action: {
          type: 'fee.waive',
          description: waiver.description,
          input: { subject, amount: waiver.amount, currency: 'EUR' },
        },
        tags: ['demo', 'billing'],
      },
      approval: { approver, result: 'rejected', reason: waiver.reason },
    },
  ];
}

function moveOf(subject: string, { startsAt, note }: Appointment, timeZone: string) {
  const later = new Date(startsAt.getTime() + HOUR_MS);
  const day = startsAt.toLocaleDateString('en-GB', { timeZone, day: 'numeric', month: 'long' });
  const time = (at: Date) => at.toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
  return {
    description: `Move the session of ${day} from ${time(startsAt)} to ${time(later)}`,
    input: { subject, session: note ?? 'Therapy', from: startsAt.toISOString(), to: later.toISOString() },
  };
}
