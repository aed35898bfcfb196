/** Records of both kinds to export. */
import type { App } from '../../src/app.ts';
import { makeContext, systemContext } from '../../src/domain/context.ts';
import { addApproval } from '../../src/domain/decisions/approve/admission.ts';
import type { RecordDecisionInput } from '../../src/domain/decisions/input.ts';
import { recordDecision } from '../../src/domain/decisions/record/record.ts';
import { createPolicy } from '../../src/domain/policies/edit.ts';

/** Content that is difficult for both canonical JSON and linked data. */
export function decisionInput(actionType: string): RecordDecisionInput {
  return {
    type: 'ai_recommendation',
    actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
    action: {
      type: actionType,
      description: 'Refund a missed session',
      input: { amount: 42.5, lines: [[1, 2], []], note: null, '@id': 'not an address', 'Grüße 👋': {} },
      output: { granted: true, fee: 1e-7 },
    },
    aiContext: { model: 'judge-3', provider: 'local', confidence: 0.93, reasoning: 'Cancelled in time.' },
    tags: ['refund', 'session'],
  };
}

/** A decision, sealed by one approver or by two. */
export async function sealDecision(app: App, centerId: number, approvals: 1 | 2 = 2) {
  const ctx = asSystem(app, centerId);
  const actionType = approvals === 2 ? 'refund.grant' : 'refund.note';
  if (approvals === 2 && (await ctx.db.policy.count({ where: { actionPattern: actionType } })) === 0) {
    await createPolicy(ctx, {
      scope: 'CENTER',
      name: 'Two approvers',
      actionPattern: actionType,
      guards: { dualApproval: true },
    });
  }
  const { event } = await recordDecision(ctx, decisionInput(actionType));
  for (let i = 0; i < approvals; i++) {
    await addApproval(asKey(app, centerId), event.id, {
      approver: { id: `person-${i}`, type: 'human', name: `Approver ${i}` },
      result: 'approved',
      ...(i === 0 && { reason: 'Within policy.' }),
    });
  }
  const record = await ctx.db.dpu.findUniqueOrThrow({
    where: { id: event.dpuId },
    include: { record: true },
  });
  const { chainId, index, hash, previousHash, timestamp } = record.record;
  return {
    chainId,
    index,
    hash,
    previousHash,
    timestamp,
    dpuId: event.dpuId,
    eventId: event.id,
    evidenceId: event.evidence.id,
    decisionId: event.head.decisionId,
  };
}

export const asSystem = (app: App, centerId: number) => systemContext(app, 'test', centerId);

/** Another system, which reports people's approvals. */
const asKey = (app: App, centerId: number) =>
  makeContext({
    app,
    principal: {
      kind: 'apiKey',
      keyId: 'key_test',
      centerId,
      scopes: ['proof:write'],
      ratePerMinute: null,
      featuresOff: {},
    },
  });
