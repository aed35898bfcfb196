import type { Vertical } from '../../../db/generated/prisma/enums.ts';
import type { WorkflowDefinitionInput } from '../definition/workflow.ts';
import { noteOnEvent, reviewedDecision, shortText, timedOverview } from './building-blocks.ts';

/** The workflows that a new center of each vertical can run immediately, using only its own data. */
export const startersByVertical: Record<Vertical, readonly WorkflowDefinitionInput[]> = {
  rehabilitation: [
    timedOverview({
      name: 'Weekly therapy load',
      description: 'Compares the sessions of the coming week with the therapists at work.',
      cron: '0 7 * * 1',
      text: '{{ center.name }}: {{ facts.bookingsNext7Days }} sessions in the coming week for {{ facts.instructors }} therapists; {{ facts.attendanceLast7Days }} attendances confirmed in the past one.',
      actionType: 'therapy.load_reviewed',
    }),
    reviewedDecision({
      name: 'Change of a therapy plan',
      description:
        'A therapist proposes a number of weekly sessions; an administrator approves or rejects it.',
      parameters: {
        patient: shortText('Patient', 'a patient'),
        sessionsPerWeek: { type: 'integer', minimum: 0, maximum: 14, default: 1, title: 'Sessions a week' },
        reason: { type: 'string', maxLength: 2_000, default: '', title: 'Reason' },
      },
      question:
        'Set {{ parameters.patient }} to {{ parameters.sessionsPerWeek }} sessions a week? {{ parameters.reason }}',
      roles: ['ADMIN'],
      actionType: 'therapy.plan_changed',
    }),
  ],
  welfare: [
    timedOverview({
      name: 'Daily care overview',
      description: 'Sums up visits and open decisions each working morning.',
      cron: '30 6 * * 1-5',
      text: '{{ center.name }}: {{ facts.bookingsNext7Days }} visits planned for the week, {{ facts.decisionsWaiting }} decisions waiting, {{ facts.members }} people on board.',
      actionType: 'care.day_opened',
    }),
    reviewedDecision({
      name: 'Grant of support',
      description: 'Support above the small limit needs an administrator; the decision goes on record.',
      parameters: {
        beneficiary: shortText('Beneficiary', 'a beneficiary'),
        amount: { type: 'number', minimum: 0, maximum: 1_000_000, default: 0, title: 'Amount' },
      },
      question: 'Grant {{ parameters.amount }} to {{ parameters.beneficiary }}?',
      roles: ['ADMIN'],
      actionType: 'support.granted',
    }),
  ],
  education: [
    timedOverview({
      name: 'Weekly attendance report',
      description: 'Records the week of a school every Friday afternoon.',
      cron: '0 16 * * 5',
      text: '{{ center.name }}: {{ facts.attendanceLast7Days }} attendances this week, {{ facts.certificatesLast30Days }} certificates in the last 30 days, {{ facts.children }} learners.',
      actionType: 'attendance.week_closed',
    }),
    noteOnEvent({
      name: 'Certificate register',
      description: 'Enters every issued certificate into the register of decisions.',
      eventPattern: 'certificate.issued',
      text: 'A certificate was issued at {{ center.name }} on {{ event.createdAt }}.',
      actionType: 'certificate.registered',
    }),
  ],
  pharmacy: [
    timedOverview({
      name: 'Morning release check',
      description: 'Counts the decisions that wait for a pharmacist before the doors open.',
      cron: '45 7 * * *',
      text: '{{ center.name }}: {{ facts.decisionsWaiting == 0 ? "nothing waits for release" : string(facts.decisionsWaiting) + " decisions wait for release" }}; {{ facts.draftRecords }} records are still drafts.',
      actionType: 'release.checked',
    }),
    reviewedDecision({
      name: 'Substitution of a medicine',
      description: 'A substitution takes effect only after a second person approves it.',
      parameters: {
        prescribed: shortText('Prescribed', 'the prescribed medicine'),
        substitute: shortText('Substitute', 'an equivalent'),
      },
      question: 'Dispense {{ parameters.substitute }} in place of {{ parameters.prescribed }}?',
      roles: ['ADMIN', 'INSTRUCTOR'],
      actionType: 'medicine.substituted',
    }),
  ],
  commerce: [
    timedOverview({
      name: 'Daily payment watch',
      description: 'Looks at failed payments every morning.',
      cron: '0 8 * * *',
      text: '{{ center.name }}: {{ facts.paymentsFailedLast30Days }} failed payments in the last 30 days, {{ facts.decisionsWaiting }} decisions waiting.',
      actionType: 'payments.watched',
    }),
    noteOnEvent({
      name: 'Follow-up on failed payments',
      description: 'Puts a follow-up on record as soon as a payment fails for good.',
      eventPattern: 'payment.failed',
      text: 'A payment of {{ center.name }} failed on {{ event.createdAt }}: get in touch with the payer.',
      actionType: 'payment.followed_up',
    }),
    reviewedDecision({
      name: 'Refund',
      description: 'A refund is paid only after a person approves it.',
      parameters: {
        order: shortText('Order', 'an order'),
        amount: { type: 'number', minimum: 0, maximum: 1_000_000, default: 0, title: 'Amount' },
      },
      question: 'Refund {{ parameters.amount }} for order {{ parameters.order }}?',
      roles: ['ADMIN'],
      actionType: 'refund.granted',
    }),
  ],
  mentoring: [
    timedOverview({
      name: 'Mentoring rhythm',
      description: 'Shows on Monday whether mentors and learners have met and will meet.',
      cron: '0 9 * * 1',
      text: '{{ center.name }}: {{ facts.bookingsLast7Days }} meetings in the past week, {{ facts.bookingsNext7Days }} in the coming one, {{ facts.instructors }} mentors.',
      actionType: 'mentoring.week_opened',
    }),
    reviewedDecision({
      name: 'Matching of mentor and learner',
      description: 'A match takes effect once a person approves it.',
      parameters: {
        mentor: shortText('Mentor', 'a mentor'),
        learner: shortText('Learner', 'a learner'),
      },
      question: 'Match {{ parameters.learner }} with {{ parameters.mentor }}?',
      roles: ['ADMIN', 'INSTRUCTOR'],
      actionType: 'mentoring.matched',
    }),
  ],
  interior: [
    timedOverview({
      name: 'Weekly site overview',
      description: 'Records the appointments and open approvals of all sites.',
      cron: '0 17 * * 5',
      text: '{{ center.name }}: {{ facts.bookingsNext7Days }} site appointments next week, {{ facts.decisionsWaiting }} approvals open.',
      actionType: 'sites.week_closed',
    }),
    reviewedDecision({
      name: 'Change order',
      description: 'A change of material or price is approved before work goes on.',
      parameters: {
        site: shortText('Site', 'a site'),
        change: { type: 'string', minLength: 1, maxLength: 2_000, default: 'a change', title: 'Change' },
        extraCost: { type: 'number', minimum: 0, maximum: 10_000_000, default: 0, title: 'Extra cost' },
      },
      question:
        '{{ parameters.site }}: {{ parameters.change }}, for {{ parameters.extraCost }} more. Agreed?',
      roles: ['ADMIN'],
      actionType: 'change_order.approved',
    }),
  ],
};
