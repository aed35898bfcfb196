import { z } from 'zod';

/** Fields may be added to a payload later. Consumers must ignore unknown ones. */
const payload = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape);

const id = z.string();
const dpuId = id.describe('The id of the decision record, `dpu_…`.');
const moment = z.iso.datetime().describe('ISO 8601 in UTC.');
const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 as hex digits, without a prefix.');
const risk = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .describe('The risk according to the agent, 0 to 1; null if the agent gave none.');

const payment = {
  paymentId: id.describe('The id of the payment, `pay_…`.'),
  subscriptionId: id.describe('The id of the subscription, `sub_…`.'),
  reference: z.string().describe('The reference of the payment provider, unique in the center.'),
  amount: z.int().describe('The amount in the smallest currency unit, such as cents.'),
  currency: z.string().describe('The currency (ISO 4217).'),
  occurredAt: moment,
};
const decision = {
  decisionId: id.describe(
    'The id of the decision: your `idempotencyKey` if given, else a generated one, `dec_…`.',
  ),
  eventId: id.describe('The id of the decision event, `evt_…`.'),
  agentId: id.describe('The id of the agent in your own system.'),
  actionType: z.string().describe('The action type, such as `refund.grant`.'),
  riskScore: risk,
};

/**
 * The events that other systems can subscribe to: when each is emitted, the schema of its `data`, and an example. The
 * machine-readable description, the GraphQL catalog, sample deliveries and the types of `emit` all come from here.
 */
export const eventCatalog = {
  'dpu.sealed': {
    description: 'A decision record was sealed and committed to its chain.',
    data: payload({
      dpuId,
      chainHash: hash,
      domain: z.string().describe('The name of the chain: platform or proof.'),
      actorId: z.string().describe('The id of the person (a UUID), API key or service that sealed it.'),
    }),
    example: {
      dpuId: 'dpu_01k9zq2m0000000000000000d1',
      chainHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      domain: 'proof',
      actorId: '4c1f7a52-6a0e-4b53-9d0f-0b8f5f1f2a11',
    },
  },
  'dpu.verified': {
    description: 'A request to verify a record, or the chains of the center, was answered.',
    data: payload({
      dpuId: id
        .nullable()
        .describe('The id of the decision record, `dpu_…`; null when whole chains were verified.'),
      domain: z.string().nullable().describe('The name of its chain; null when whole chains were verified.'),
      valid: z.boolean().describe('Whether everything that was verified is intact.'),
      chainLength: z.int().describe('The number of records that were verified.'),
      brokenAt: z
        .int()
        .nullable()
        .describe('The index of the first record that does not match; null if all match.'),
    }),
    example: {
      dpuId: 'dpu_01k9zq2m0000000000000000d1',
      domain: 'platform',
      valid: true,
      chainLength: 42,
      brokenAt: null,
    },
  },
  'agent.decision.completed': {
    description: 'A decision of an agent is final and sealed, on its own or after approval.',
    data: payload({
      ...decision,
      autonomous: z.boolean().describe('Whether no person had to approve it.'),
      dpuId,
      chainHash: hash,
    }),
    example: {
      decisionId: 'dec_01k9zq2m0000000000000000c1',
      eventId: 'evt_01k9zq2m0000000000000000e1',
      agentId: 'refund-agent',
      actionType: 'refund.grant',
      riskScore: 0.2,
      autonomous: true,
      dpuId: 'dpu_01k9zq2m0000000000000000d1',
      chainHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  },
  'agent.decision.rejected': {
    description:
      'A decision of an agent was rejected: by an approver, because it expired, or because it was withdrawn.',
    data: payload({
      ...decision,
      cause: z
        .enum(['rejected', 'expired', 'withdrawn', 'erased'])
        .describe(
          'Whether an approver rejected it, time ran out, the requester withdrew it, or it was erased.',
        ),
      reason: z.string().nullable().describe('Why, in the words of the approver; null if none was given.'),
      approver: z
        .object({
          id: id.describe('The id of the approver in your own system, or of the person in this service.'),
          type: z.string().describe('Whether a person or a system rejected it: `human` or `system`.'),
          name: z.string().optional().describe('The name that people see, if one was given.'),
        })
        .nullable()
        .describe('Who rejected it; null unless `cause` is `rejected`.'),
      rejectedAt: moment,
    }),
    example: {
      decisionId: 'dec_01k9zq2m0000000000000000c2',
      eventId: 'evt_01k9zq2m0000000000000000e2',
      agentId: 'refund-agent',
      actionType: 'refund.grant',
      riskScore: 0.93,
      cause: 'rejected',
      reason: 'The amount exceeds the order.',
      approver: { id: '4c1f7a52-6a0e-4b53-9d0f-0b8f5f1f2a11', type: 'human', name: 'Dr. Kim' },
      rejectedAt: '2026-11-15T09:32:00.000Z',
    },
  },
  'agent.approval.requested': {
    description: 'A decision of an agent waits for a person to approve it.',
    data: payload({ ...decision, reason: z.string().describe('Which rule requires a person, in words.') }),
    example: {
      decisionId: 'dec_01k9zq2m0000000000000000c2',
      eventId: 'evt_01k9zq2m0000000000000000e2',
      agentId: 'refund-agent',
      actionType: 'refund.grant',
      riskScore: 0.93,
      reason: 'riskThreshold',
    },
  },
  'payment.completed': {
    description: 'A payment was confirmed and reconciled.',
    data: payload(payment),
    example: {
      paymentId: 'pay_01k9zq2m0000000000000000p1',
      subscriptionId: 'sub_01k9zq2m0000000000000000s1',
      reference: 'ch_20261115_0001',
      amount: 4900,
      currency: 'EUR',
      occurredAt: '2026-11-15T09:30:00.000Z',
    },
  },
  'payment.failed': {
    description: 'A payment attempt failed for good.',
    data: payload({
      ...payment,
      failureReason: z
        .string()
        .nullable()
        .describe('Why it failed, in the words of the provider; null if none was given.'),
    }),
    example: {
      paymentId: 'pay_01k9zq2m0000000000000000p2',
      subscriptionId: 'sub_01k9zq2m0000000000000000s1',
      reference: 'ch_20261115_0002',
      amount: 4900,
      currency: 'EUR',
      occurredAt: '2026-11-15T09:31:00.000Z',
      failureReason: 'card declined',
    },
  },
  'attendance.verified': {
    description: 'A check-in or the attendance of a session was confirmed.',
    data: payload({
      attendanceId: id.describe('The id of the attendance, `att_…`.'),
      attendeeId: id.describe('The id of the attendee, a UUID.'),
      sessionRef: z.string().describe('The attended session, as it is named on the learning host.'),
      method: z.string().describe('How the attendance was confirmed: qr, workshop or manual.'),
      dpuId: id.describe('The id of the decision record that proves it, `dpu_…`.'),
      occurredAt: moment,
    }),
    example: {
      attendanceId: 'att_01k9zq2m0000000000000000a1',
      attendeeId: '0f9c1a3e-3f0b-4c6e-9a77-7d1f0f6f2b22',
      sessionRef: 'workshop-2026-11-15',
      method: 'qr',
      dpuId: 'dpu_01k9zq2m0000000000000000d2',
      occurredAt: '2026-11-15T09:00:00.000Z',
    },
  },
  'certificate.issued': {
    description: 'A digital certificate, proven by a decision record, was issued to a learner.',
    data: payload({
      certificateId: id.describe('The id of the certificate, `crt_…`.'),
      learnerId: id.describe('The id of the holder, a UUID.'),
      title: z.string().describe('What the certificate is for, as printed on it.'),
      courseRef: z.string().describe('The course, as it is named on the learning host.'),
      dpuId: id.describe('The id of the decision record that proves it, `dpu_…`.'),
      issuedAt: moment,
    }),
    example: {
      certificateId: 'crt_01k9zq2m0000000000000000r1',
      learnerId: '0f9c1a3e-3f0b-4c6e-9a77-7d1f0f6f2b22',
      title: 'First aid for children',
      courseRef: 'first-aid-2026',
      dpuId: 'dpu_01k9zq2m0000000000000000d3',
      issuedAt: '2026-11-15T12:00:00.000Z',
    },
  },
  'workflow.transitioned': {
    description: 'An execution of a workflow moved from one state to another.',
    data: payload({
      workflowId: id.describe('The id of the workflow, `wf_…`.'),
      executionId: id.describe('The id of the execution, `exe_…`.'),
      from: z.string().nullable().describe('The status before, such as `RUNNING`; null at the start.'),
      to: z.string().describe('The status from now on, such as `COMPLETED`.'),
      dpuId: id
        .nullable()
        .describe('The id of the decision record of the execution, `dpu_…`; null until it has ended.'),
    }),
    example: {
      workflowId: 'wf_01k9zq2m0000000000000000w1',
      executionId: 'exe_01k9zq2m0000000000000000x1',
      from: 'RUNNING',
      to: 'COMPLETED',
      dpuId: 'dpu_01k9zq2m0000000000000000d4',
    },
  },
} as const;

export type EventType = keyof typeof eventCatalog;
export type EventData<Type extends EventType> = z.infer<(typeof eventCatalog)[Type]['data']>;

export const eventTypes = Object.keys(eventCatalog) as EventType[];

export const isEventType = (name: string): name is EventType => Object.hasOwn(eventCatalog, name);

/** The JSON schema of a type's `data`. */
export function payloadSchema(type: EventType): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(eventCatalog[type].data);
  return schema;
}

/** An event of a center, for its subscribers. */
export type EventDraft = {
  [Type in EventType]: {
    centerId: number;
    type: Type;
    data: EventData<Type>;
    /** The workflows that led to it, oldest first; defaults to none. */
    causes?: readonly string[];
    /** Its trace, as `traceparent`; defaults to the current trace. */
    trace?: string;
  };
}[EventType];

/** The subscriptions that match an event type: itself, every prefix with a star, and the star alone. */
export function patternsFor(type: string): string[] {
  const parts = type.split('.');
  const prefixes = parts.slice(0, -1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`);
  return [type, ...prefixes, '*'];
}

/** Everything that a subscription may name. */
export const knownPatterns: ReadonlySet<string> = new Set(eventTypes.flatMap(patternsFor));
