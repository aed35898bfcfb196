/** Records of both kinds to export. */
import type { App } from '../../src/domain/app.ts';
import { systemContext } from '../../src/domain/context.ts';
import type { Draft, Place, SealKind } from '../../src/domain/ledger/seal-kind.ts';
import { newId } from '../../src/lib/ids.ts';
import { canonicalJson } from '../../src/proof-kit/index.ts';

const asDrafted: SealKind<Draft<undefined>> = { name: 'test decision', admit: async (_, drafts) => drafts };

/** Content that is hard on canonical JSON and on linked data alike. */
export function decisionContent(eventId: string, approvals = 2) {
  return {
    event: {
      id: eventId,
      decisionId: `refund-${eventId}`,
      type: 'ai_recommendation',
      actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
      action: {
        type: 'refund.grant',
        description: 'Refund a missed session',
        input: { amount: 42.5, lines: [[1, 2], []], note: null, '@id': 'not an address', 'Grüße 👋': {} },
        output: { granted: true, fee: 1e-7 },
      },
      aiContext: { model: 'judge-3', provider: 'local', confidence: 0.93, reasoning: 'Cancelled in time.' },
      tags: ['refund', 'session'],
      occurredAt: '2026-01-31T11:58:00.250Z',
    },
    approvals: Array.from({ length: approvals }, (_, i) => ({
      id: `apr_${i}`,
      approver: { id: `person-${i}`, type: 'human', name: `Approver ${i}` },
      result: 'approved',
      ...(i === 0 && { reason: 'Within policy.' }),
      approvedAt: `2026-01-31T11:59:0${i}.000Z`,
    })),
    policy: { id: 'pol_global', version: 3, guards: { dualApproval: { passed: true } } },
  };
}

/** A sealed decision event with its evidence, as the Proof API leaves it behind. */
export async function sealDecision(app: App, centerId: number, approvals = 2) {
  const eventId = newId('evt');
  const dpuId = newId('dpu');
  const evidenceId = newId('evd');
  const { event, ...rest } = decisionContent(eventId, approvals);
  await app.db.forCenter(centerId).decisionEvent.create({
    data: {
      id: eventId,
      centerId,
      decisionId: event.decisionId,
      evidenceId,
      dpuId,
      type: 'ai_recommendation',
      status: 'sealed',
      actorId: event.actor.id,
      actorType: 'ai_agent',
      actionType: event.action.type,
      contentHash: '0'.repeat(64),
      occurredAt: new Date(event.occurredAt),
    },
  });
  const { place } = await app.sealer.seal({
    kind: asDrafted,
    centerId,
    domain: 'proof',
    request: {
      content: canonicalJson({ event, ...rest }),
      dpu: { id: dpuId, evidenceLevel: 'AUDIT_READY', actorId: 'person-1' },
      result: undefined,
    },
  });
  return { ...(place as Place), eventId, evidenceId, decisionId: event.decisionId };
}

export const asSystem = (app: App, centerId: number) => systemContext(app, 'test', centerId);
