import { canonicalJson } from '@countersign/proof-kit/canonical';
import { makeDisclosure } from '@countersign/proof-kit/disclosure';
import type { ApprovedByKind } from '../../../../db/generated/prisma/enums.ts';
import { sealTools } from '../../../../lib/seal-tools.ts';
import { keptAuthor } from '../../../ledger/chains/journal.ts';
import { digestOfDisclosure } from '../../content.ts';

interface OutcomeColumns {
  event_id?: unknown;
  status?: unknown;
  output?: unknown;
  salt?: unknown;
  recorded_at?: unknown;
  erased?: { [path: string]: { digest?: unknown } } | null;
}

interface AuthorColumns {
  by_kind: ApprovedByKind;
  by_id: string | null;
  salt: string | null;
}

/** Whether the reported outcome of a decision differs from the one on the journal. */
export function outcomeDiffers(
  row: OutcomeColumns,
  by: AuthorColumns | null,
  content: string | null,
  timestamp: string | null,
): boolean {
  try {
    const sealed = JSON.parse(content ?? 'null') as { [name: string]: unknown };
    if (sealed['kind'] !== 'outcome' || sealed['eventId'] !== row.event_id) return true;
    if (sealed['status'] !== row.status) return true;
    if (new Date(String(row.recorded_at)).toISOString() !== timestamp) return true;
    if (by === null) return true;
    const author = keptAuthor({
      kind: by.by_kind,
      salt: by.salt,
      ...(by.by_id !== null && { id: by.by_id }),
    });
    if (canonicalJson(author as never) !== canonicalJson((sealed['by'] ?? null) as never)) return true;
    const [digest] = (sealed['_sd'] as string[] | undefined) ?? [];
    return digest !== digestOfOutput(row);
  } catch {
    return true;
  }
}

function digestOfOutput({ output, salt, erased }: OutcomeColumns): unknown {
  if (output === null || output === undefined) return erased?.['outcome.output']?.digest;
  return digestOfDisclosure(makeDisclosure(String(salt), 'output', output as never, sealTools.encode));
}
