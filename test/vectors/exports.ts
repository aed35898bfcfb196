/** Genuine exports of both kinds, taken from two determined chains. */
import { canonicalJson, type ExportDocument } from '../../src/proof-kit/index.ts';
import { buildChain, exportFrame, proveInclusion } from './chain.ts';
import { signerFromSeed } from './signer.ts';

export const serviceSigner = signerFromSeed(7);
export const strangerSigner = signerFromSeed(8);

function sealedDecision(i: number) {
  return {
    event: {
      id: `evt_vector_${i}`,
      decisionId: `refund-${i}`,
      type: 'ai_recommendation',
      actor: { id: 'agent-7', type: 'ai_agent', name: 'Refund assistant' },
      action: {
        type: 'refund.grant',
        description: 'Refund a missed session',
        input: {
          amount: 4250 + i,
          currency: 'EUR',
          lines: [[1, 2.5], []],
          note: null,
          'naïve key': 'Grüße 👋',
        },
        output: { granted: true, fee: 1e-7 },
      },
      aiContext: {
        model: 'judge-3',
        provider: 'local',
        confidence: 0.93,
        reasoning: 'Cancelled two days ahead.',
      },
      tags: ['refund', 'session'],
      occurredAt: '2026-01-31T11:58:00.250Z',
    },
    approvals: [
      {
        id: `apr_vector_${i}a`,
        approver: { id: 'mbr_1', type: 'human', name: 'Ada Keller' },
        result: 'approved',
        reason: 'Within policy.',
        approvedAt: '2026-01-31T11:59:00.000Z',
      },
      {
        id: `apr_vector_${i}b`,
        approver: { id: 'mbr_2', type: 'human', name: 'Ben Okafor' },
        result: 'approved',
        approvedAt: '2026-01-31T11:59:30.000Z',
      },
    ],
    policy: { id: 'pol_global', version: 3, guards: [{ rule: 'dual-approval', passed: true }] },
  } as const;
}

const decisionChain = buildChain(Array.from({ length: 11 }, (_, i) => canonicalJson(sealedDecision(i))));
const platformChain = buildChain(
  Array.from({ length: 6 }, (_, i) => `Attendance of session ${i} confirmed; "quoted", Übung, 👍\n`),
);

function decisionExport(index: number): ExportDocument {
  const { head, chain, verification, record } = exportFrame(
    decisionChain,
    index,
    'proof',
    `evt_vector_${index}`,
  );
  const { event, approvals, policy } = sealedDecision(index);
  return {
    ...head,
    evidence: {
      id: `evd_vector_${index}`,
      decisionId: event.decisionId,
      status: 'sealed',
      evidenceLevel: 'AUDIT_READY',
      // Through JSON, as a reader gets it.
      ...JSON.parse(JSON.stringify({ event, approval: approvals[1], approvals, policy })),
      chain,
      sealedAt: record.timestamp,
      createdAt: '2026-01-31T11:58:00.300Z',
    },
    verification,
    record,
  };
}

function platformExport(index: number): ExportDocument {
  const id = `dpu_vector_${index}`;
  const { head, chain, verification, record } = exportFrame(platformChain, index, 'platform', id);
  return {
    ...head,
    evidence: {
      id,
      decisionId: id,
      status: 'pending',
      evidenceLevel: 'DOCUMENTED',
      content: record.content,
      metadata: { room: 'B2', seats: [[3, 4], [5]], checkedBy: null },
      responsibility: {
        who: { id: 'mbr_1', name: 'Ada Keller' },
        what: { type: 'lms-attendance' },
        when: { occurredAt: record.timestamp },
        where: { name: 'Demo center' },
        why: { reason: 'Attendance is recorded for every session.' },
        how: { method: 'QR check-in' },
      },
      chain,
      createdAt: record.timestamp,
      sealedAt: null,
    },
    verification,
    record,
  };
}

/** A decision of which only the public part is handed out. */
function withheld(document: ExportDocument): ExportDocument {
  const copy = structuredClone(document);
  copy.record.content = null;
  if (copy.evidence.event) {
    delete copy.evidence.event.action.input;
    delete copy.evidence.event.action.output;
  }
  return copy;
}

export async function genuineExports() {
  const decision = {
    ...decisionExport(4),
    ...(await proveInclusion(decisionChain, 4, 'proof', serviceSigner)),
  };
  const lastDecision = {
    ...decisionExport(10),
    ...(await proveInclusion(decisionChain, 10, 'proof', serviceSigner)),
  };
  const platform = {
    ...platformExport(3),
    ...(await proveInclusion(platformChain, 3, 'platform', serviceSigner)),
  };
  const genesis = {
    ...decisionExport(0),
    ...(await proveInclusion(decisionChain, 0, 'proof', serviceSigner)),
  };
  const onlyRecord = {
    ...platformExport(0),
    ...(await proveInclusion(platformChain.slice(0, 1), 0, 'platform', serviceSigner)),
  };
  return {
    decision,
    'decision-last': lastDecision,
    'decision-genesis': genesis,
    'decision-without-inclusion': decisionExport(5),
    'decision-withheld': withheld(decision),
    platform,
    'platform-only-record': onlyRecord,
    'platform-without-inclusion': platformExport(2),
  };
}

/** The inclusion part as a stranger would forge it: everything fits, but the key is another one. */
export function strangersInclusion() {
  return proveInclusion(decisionChain, 4, 'proof', strangerSigner);
}

/** A genuine, signed inclusion of the same position in another chain. */
export function otherChainsInclusion() {
  return proveInclusion(platformChain, 4, 'platform', serviceSigner);
}
