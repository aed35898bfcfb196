import { z } from 'zod';
import { agentDecisionInput } from '../../domain/decisions/input.ts';
import { doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { argumentsDigest, claimedAt, expiresAt, prefixed, receipt, sealState } from '../proof-shapes.ts';
import { routesOf } from '../route.ts';
import { ids, proofData, timestamp } from '../schemas.ts';

const agentDecision = z
  .object({
    decisionId: z.string().meta(ids.decision),
    eventId: z.string().meta(ids.event),
    outcome: z
      .enum(['completed', 'awaiting_approval', 'rejected'])
      .describe(
        'Whether the agent may act: `completed`; not yet: `awaiting_approval`; or not at all: `rejected`.',
      ),
    argumentsDigest,
    expiresAt: expiresAt.optional(),
    claimedAt: claimedAt.optional(),
    reported: z
      .object({ status: z.enum(['executed', 'failed']), recordedAt: timestamp })
      .optional()
      .meta({
        description: 'What became of the decision, as its requester reported it.',
        graphqlType: 'DecisionOutcome',
      }),
    receipt,
    mandate: z
      .union([
        z.object({
          id: z.string().meta(ids.mandate),
          eventId: z.string().meta(example('evt_01k9zq2m0000000000000000e1')),
          use: z.int().meta(example(12)),
          spent: z
            .number()
            .optional()
            .meta(doc('What its calls have spent with this use; left out without a budget.', 12000)),
          remaining: z.object({
            uses: z.int().nullable().meta(example(88)),
            budget: z.number().nullable().meta(example(88000)),
          }),
        }),
        z.object({
          id: z.string().meta(ids.mandate),
          notUsed: z
            .string()
            .meta(
              doc(
                'Why it was not used: a sentence that names no policy and no value of the call.',
                'The call would exceed the budget of the mandate.',
              ),
            ),
        }),
      ])
      .optional()
      .describe(
        'The use of the mandate that approved the call; or a mandate of this agent and API key that matches the action but was not used, with `notUsed`. Left out if none matches.',
      ),
    dpu: z
      .object({
        id: z.string().meta(doc('The id of the decision record, `dpu_…`.', 'dpu_01k9zq2m0000000000000000d1')),
        ...sealState,
      })
      .meta({ description: 'The decision record, and whether it is sealed.', graphqlType: 'EvidenceState' }),
  })
  .meta({ id: 'AgentDecision' });

const route = routesOf({ tag: 'Agents', auth: 'key' });

export const agentRoutes = [
  route({
    method: 'POST',
    path: '/v1/agents/decide',
    operationId: 'decideAsAgent',
    summary: "Take an agent's decision: seal it at once, or wait for a person's approval",
    body: agentDecisionInput,
    idempotency: 'own',
    document: graphql(`
      mutation ($input: AgentDecisionInput!, $key: String) {
        decideAsAgent(input: $input, idempotencyKey: $key) {
          created outcome
          mandate { id eventId use spent remaining { uses budget } }
          unusedMandate { id notUsed }
          event { id decisionId dpuId argumentsDigest expiresAt claimedAt receipt
            outcome { status recordedAt } evidence { status chainHash chainIndex } }
        }
      }`),
    variables: ({ body, idempotencyKey }) => ({ input: body, key: idempotencyKey }),
    project: ({ decideAsAgent: { outcome, mandate, unusedMandate, event } }) => ({
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
        ...(unusedMandate && { mandate: unusedMandate }),
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
    errors: ['POLICY_VIOLATION', 'QUOTA_EXCEEDED'],
  }),
];
