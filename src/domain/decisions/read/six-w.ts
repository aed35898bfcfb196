// Who, what, when, where, why and how of a record. Pure: derived only from the record and its position.
import { parseJson } from '../../../lib/json.ts';
import type { DpuView } from '../../dpus/dpu-row.ts';

type Facts = Record<string, unknown>;

export interface SixW {
  who: Facts;
  what: Facts;
  when: Facts;
  where: Facts;
  why: Facts;
  how: Facts;
}

/** What the record itself does not contain: the actor's and the center's details. */
export interface RecordContext {
  actor: { id: string; name: string; role: string | null } | null;
  center: { id: number; name: string; centerDomain: string; country: string | null; region: string | null };
  /** Who raised the level and when, oldest first. */
  raises: { by: string | null; from: string; to: string; at: string }[];
}

/** For a platform record: free text, or the summary of a workflow execution as JSON. */
export function sixW(dpu: DpuView, around: RecordContext): SixW {
  const { center, raises, actor } = around;
  const { referenceType, referenceId } = dpu;
  return {
    who: {
      actor: actor ?? { id: dpu.actorId },
      ...(raises.length > 0 && { reviewers: raises.map(({ by }) => by) }),
    },
    what: { content: parsed(dpu.content), referenceType, referenceId },
    when: {
      occurredAt: dpu.timestamp,
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
    why: {
      reference: referenceType ?? 'platform record',
      referenceId,
      ...note(dpu.metadata, 'reason'),
      tags: dpu.tags,
    },
    how: {
      method: referenceType ?? 'platform',
      ...note(dpu.metadata, 'method'),
      aiGenerated: dpu.aiGenerated,
      evidenceLevel: dpu.evidenceLevel,
      hashAlgorithm: 'SHA-256',
      chainHash: dpu.chainHash,
      previousHash: dpu.previousHash,
    },
  };
}

/** A string from the record's metadata. */
function note(metadata: Facts, name: string): Facts {
  return typeof metadata[name] === 'string' ? { [name]: metadata[name] } : {};
}

const parsed = (content: string) => (content.startsWith('{') && parseJson(content)) || content;
