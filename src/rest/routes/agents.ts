import { z } from 'zod';
import { agentDecisionInput } from '../../domain/proof/input.ts';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { prefixed, prefixedHash, receipt, sealState } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { proofData, timestamp } from '../schemas.ts';

const agentDecision = z
  .object({
    decisionId: z
      .string()
      .meta(
        doc('The id of the decision: your `idempotencyKey`, if given.', 'dec_01k9zq2m0000000000000000c1'),
      ),
    eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
    outcome: z
      .enum(['completed', 'awaiting_approval', 'rejected'])
      .describe('Whether the decision is complete or waits for an approval.'),
    argumentsDigest: prefixedHash.meta(
      doc(
        '`sha256:` followed by the hex digest of the canonical `action.input`, that is, of the exact arguments.',
        'sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
      ),
    ),
    expiresAt: timestamp.optional().meta(doc('When it expires.', '2026-11-15T09:32:00.000Z')),
    claimedAt: timestamp
      .optional()
      .meta(doc('When the decision was claimed for execution.', '2026-11-15T09:30:00.000Z')),
    reported: z
      .object({
        status: z.enum(['executed', 'failed']).describe('The status.'),
        recordedAt: timestamp.describe('When it was reported.'),
      })
      .optional()
      .describe('The reported outcome, if any.'),
    receipt,
    mandate: z
      .object({
        id: z.string().meta(doc('The id of the mandate.', 'mnd_01k9zq2m0000000000000000m1')),
        eventId: z.string().meta(doc('The id of the event.', 'evt_01k9zq2m0000000000000000e1')),
        use: z.int().meta(doc('The number of this use, from 1.', 12)),
        spent: z.number().optional().meta(doc('The amount spent so far.', 12000)),
        remaining: z
          .object({
            uses: z.int().nullable().meta(doc('The remaining uses; null without a limit.', 88)),
            budget: z.number().nullable().meta(doc('The remaining budget; null without a budget.', 88000)),
          })
          .describe('The remainder of the mandate after this use.'),
      })
      .optional()
      .describe('The mandate that covered the call, if any.'),
    dpu: z
      .object({
        id: z.string().meta(doc('The id of the proof record.', 'dpu_01k9zq2m0000000000000000d1')),
        ...sealState,
      })
      .describe('The proof record of the decision.'),
  })
  .meta({ id: 'AgentDecision' });

export const agentRoutes = [
  route({
    method: 'POST',
    path: '/v1/agents/decide',
    operationId: 'decideAsAgent',
    summary: "Take an agent's decision: seal it at once, or wait for a person's approval",
    tag: 'Agents',
    auth: 'key',
    body: agentDecisionInput,
    idempotency: 'own',
    document: graphql(`
      mutation ($input: AgentDecisionInput!, $key: String) {
        decideAsAgent(input: $input, idempotencyKey: $key) {
          created outcome
          mandate { id eventId use spent remaining { uses budget } }
          event { id decisionId dpuId argumentsDigest expiresAt claimedAt receipt
            outcome { status recordedAt } evidence { status chainHash chainIndex } }
        }
      }`),
    variables: ({ body, idempotencyKey }) => ({ input: body, key: idempotencyKey }),
    project: ({ decideAsAgent: { outcome, mandate, event } }) => ({
      data: {
        decisionId: event.decisionId,
        eventId: event.id,
        outcome,
        argumentsDigest: prefixed(event.argumentsDigest),
        ...(outcome === 'awaiting_approval' && event.expiresAt && { expiresAt: event.expiresAt }),
        // A replay must not look like permission to act again.
        ...(event.claimedAt && { claimedAt: event.claimedAt }),
        ...(event.outcome && { reported: event.outcome }),
        ...(event.receipt && { receipt: event.receipt }),
        ...(mandate && { mandate: { ...mandate, spent: mandate.spent ?? undefined } }),
        dpu: {
          id: event.dpuId,
          status: event.evidence.status,
          chainHash: prefixed(event.evidence.chainHash),
          chainIndex: event.evidence.chainIndex,
        },
      },
    }),
    response: proofData(agentDecision),
    status: ({ decideAsAgent: { created } }) => (created ? 201 : 200),
    statuses: [201, 200],
    errors: [
      'BAD_REQUEST',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'CONFLICT',
      'VALIDATION_ERROR',
      'POLICY_VIOLATION',
      'QUOTA_EXCEEDED',
      'RATE_LIMITED',
    ],
  }),
];
