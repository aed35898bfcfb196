import { z } from 'zod';
import { agentDecisionInput } from '../../domain/proof/input.ts';
import { graphql } from '../../schema/document.ts';
import { evidenceStatus, prefixed, prefixedHash } from '../proof-shapes.ts';
import { route } from '../route.ts';
import { proofData, timestamp } from '../schemas.ts';

const agentDecision = z
  .object({
    decisionId: z.string(),
    eventId: z.string(),
    outcome: z.enum(['completed', 'awaiting_approval', 'rejected']),
    argumentsDigest: prefixedHash,
    expiresAt: timestamp.optional(),
    claimedAt: timestamp.optional(),
    reported: z.object({ status: z.enum(['executed', 'failed']), recordedAt: timestamp }).optional(),
    receipt: z.string().optional(),
    mandate: z
      .object({
        id: z.string(),
        eventId: z.string(),
        use: z.int(),
        spent: z.number().optional(),
        remaining: z.object({ uses: z.int().nullable(), budget: z.number().nullable() }),
      })
      .optional(),
    dpu: z.object({
      id: z.string(),
      status: evidenceStatus,
      chainHash: prefixedHash.nullable(),
      chainIndex: z.int().nullable(),
    }),
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
    requester: true,
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
        // A repeat after the fact must not look like leave to act again.
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
