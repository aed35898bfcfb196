import { type AttachedRecord, makeDisclosure } from '@countersign/proof-kit';
import type { ApprovedByKind } from '../../../../db/generated/prisma/enums.ts';
import { columnsOf, type RowOf } from '../../../../db/sql.ts';
import { signedProof } from '../../../ledger/signing/signed-proof.ts';
import type { ProofContext } from '../../decision-context.ts';

/** What a document discloses. */
export interface Disclosed {
  /** Whether the document names a key. Otherwise it carries no signatures: none of them could be verified. */
  isSigned: boolean;
  /** Whether a member may be disclosed, by path. */
  mayShow(path: string): boolean;
}

/** The position of a record on its chain, from `ledger_record r`. */
export const PLACE_ROW = {
  chainId: 'int',
  index: 'int',
  hash: 'text',
  previousHash: 'text?',
  timestamp: 'text',
} as const;
/** The same with the record's content. */
export const RECORD_ROW = { ...PLACE_ROW, content: 'text' } as const;
export const RECORD_COLUMNS = columnsOf('r', RECORD_ROW);

export const placeOf = ({ chainId, index, hash }: RowOf<typeof PLACE_ROW>) => ({
  chainId,
  chainIndex: index,
  chainHash: hash,
});

/** A record as a document attaches it, in a signed document with its inclusion proof. */
export async function attachedRecord(
  { app }: ProofContext,
  row: RowOf<typeof RECORD_ROW>,
  isSigned: boolean,
): Promise<Omit<AttachedRecord, 'disclosures'>> {
  const signed = isSigned ? await signedProof(app, placeOf(row)) : null;
  const { content, previousHash, timestamp } = row;
  return {
    record: { content, previousHash: previousHash ?? '', timestamp },
    ...(signed && { inclusion: signed.inclusion, ...(signed.head && { head: signed.head }) }),
  };
}

/** The author of a journal entry, whose id is disclosed if the document may show the path. */
export function shownAuthor(
  { kind, id, salt }: { kind: ApprovedByKind; id: string | null; salt: string | null },
  isShown: boolean,
) {
  if (!isShown || id === null || salt === null) return { by: { kind }, disclosures: [] };
  return { by: { kind, id }, disclosures: [makeDisclosure(salt, 'id', id)] };
}
