/** The author of a journal entry: the kind is in plain text, the id is a disclosure digest. */

import type { ApprovedByKind } from './decision.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';

export interface PlainAuthor {
  kind: ApprovedByKind;
  /** The id of the API key, person or mandate; the system has none. */
  id?: string | null | undefined;
}

export interface SealedAuthor {
  _sd?: [string];
  kind: ApprovedByKind;
}

/** Members are in canonical order. The salt is that of the path `by.id`. */
export function sealAuthor(
  { kind, id }: PlainAuthor,
  tools: SealTools,
): { sealed: SealedAuthor; disclosure: string | undefined } {
  if (id === undefined || id === null) return { sealed: { kind }, disclosure: undefined };
  const disclosure = makeDisclosure(tools.salt('by.id'), 'id', id, tools.encode);
  return { sealed: { _sd: [(tools.digest ?? disclosureDigest)(disclosure)], kind }, disclosure };
}
