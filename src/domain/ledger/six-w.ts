// Who, what, when, where, why and how of a decision. Pure: everything it says is read off the record and its place.
import { readSealedContent, type SealedContent } from '../../proof-kit/sealed-content.ts';
import type { DpuView } from './dpu-row.ts';

type Facts = Record<string, unknown>;

export interface SixW {
  who: Facts;
  what: Facts;
  when: Facts;
  where: Facts;
  why: Facts;
  how: Facts;
}

/** What the record itself does not hold: who the actor is and which center it was. */
export interface Surroundings {
  actor: { id: string; name: string; role: string | null } | null;
  center: { id: number; name: string; centerDomain: string; country: string | null; region: string | null };
  /** Who raised the level, and when, oldest first. */
  raises: { by: string | null; from: string; to: string; at: string }[];
}

export function sixW(dpu: DpuView, around: Surroundings): SixW {
  const sealed = dpu.domain === 'proof' ? readSealedContent(dpu.content) : '';
  const own = typeof sealed === 'string' ? ofPlatformRecord(dpu, around) : ofDecision(dpu, sealed);
  const { center, raises } = around;
  return {
    who: { ...own.who, ...(raises.length > 0 && { reviewers: raises.map(({ by }) => by) }) },
    what: own.what,
    when: {
      ...own.when,
      recordedAt: dpu.timestamp,
      sealedAt: dpu.sealedAt?.toISOString() ?? null,
      ...(raises.length > 0 && { raises }),
    },
    where: {
      centerId: center.id,
      centerName: center.name,
      centerDomain: center.centerDomain,
      country: center.country,
      region: center.region,
      vertical: dpu.vertical,
      chain: dpu.domain,
      chainIndex: dpu.chainIndex,
    },
    why: { ...own.why, tags: dpu.tags },
    how: {
      ...own.how,
      aiGenerated: dpu.aiGenerated,
      evidenceLevel: dpu.evidenceLevel,
      hashAlgorithm: 'SHA-256',
      chainHash: dpu.chainHash,
      previousHash: dpu.previousHash,
    },
  };
}

type Own = Pick<SixW, 'who' | 'what' | 'when' | 'why' | 'how'>;

/** A sealed decision tells everything itself. */
function ofDecision(dpu: DpuView, { event, approvals, policy }: SealedContent): Own {
  const { actor, action, aiContext, type, occurredAt, id, decisionId } = event as Record<string, Facts>;
  const { reasoning, ...model } = aiContext ?? {};
  return {
    who: { actor, approvers: approvals.map(({ approver }) => approver), sealedBy: dpu.actorId },
    what: { eventId: id, decisionId, ...action },
    when: { occurredAt, approvedAt: approvals.map(({ approvedAt }) => approvedAt) },
    why: {
      ...(reasoning !== undefined && { reasoning }),
      reasons: approvals.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
      policy: policy ? { id: policy['id'], version: policy['version'] } : null,
    },
    how: {
      method: type,
      ...(aiContext && { aiContext: model }),
      guards: policy?.['guards'] ?? [],
    },
  };
}

/** A record of the platform: free text, or the summary of a workflow's execution as JSON. */
function ofPlatformRecord(dpu: DpuView, { actor }: Surroundings): Own {
  const { referenceType, referenceId } = dpu;
  return {
    who: { actor: actor ?? { id: dpu.actorId } },
    what: { content: parsed(dpu.content), referenceType, referenceId },
    when: { occurredAt: dpu.timestamp },
    why: { reference: referenceType ?? 'platform record', referenceId, ...note(dpu.metadata, 'reason') },
    how: { method: referenceType ?? 'platform', ...note(dpu.metadata, 'method') },
  };
}

/** A word that somebody added to the record's metadata. */
function note(metadata: Facts, name: string): Facts {
  return typeof metadata[name] === 'string' ? { [name]: metadata[name] } : {};
}

function parsed(content: string): unknown {
  if (!content.startsWith('{')) return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
