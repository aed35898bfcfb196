// Decisions, approvals and outcomes as documents: how they are sealed, and how their rows store them. Public members are sealed
// in plain text, all others as salted digests. A row stores values and salts. Erasure deletes both and keeps the digest.
import {
  APPROVAL,
  type PlainApproval,
  type PlainEvent,
  type SealedApproval,
  type SealedEvent,
} from '@countersign/proof-kit/decision';
import type { SealTools } from '@countersign/proof-kit/disclosure';
import { eventDigest } from '@countersign/proof-kit/sealed-decision';
import type { Disclosures, Plain, Sealed, SealedObject, Table } from '@countersign/proof-kit/sealed-object';
import { typed } from '../../db/sql.ts';
import { sha256Hex } from '../../lib/crypto.ts';
import { newSalt, sealTools } from '../../lib/seal-tools.ts';

export type EventContent = PlainEvent;
export interface ApprovalContent extends PlainApproval {
  /** When the signing passkey was registered. Not sealed here, because the audit chain holds it. */
  passkeySince?: string;
}

/** The salts of disclosable members, by path. */
export type Salts = Record<string, string>;

/** Erased members, by path. */
export type Erased = Record<string, { at: string; reason: string; digest: string }>;

/** A document as its row stores it: without erased members, large ones apart and by path. */
export interface StoredDocument<T = object> {
  content: T;
  large?: Record<string, unknown> | null;
  salts: Salts;
  erased: Erased | null;
}

export const DOCUMENT_ROW = {
  content: typed<object>('jsonb'),
  large: typed<StoredDocument['large']>('json'),
  salts: typed<Salts>('json'),
  erased: typed<Erased | null>('json'),
} as const;

/** Generates salts and stores them in `salts`, except for those that are there already. */
export const drawing = (salts: Salts): SealTools => ({
  ...sealTools,
  salt: (path) => (salts[path] ??= newSalt()),
});

/** Uses stored salts. A member without one was added by bypassing the service, so no digest will match. */
const remembering = (salts: Salts): SealTools => ({ ...sealTools, salt: (path) => salts[path] ?? '' });

/** Seals a document for the first time. Salts that were drawn earlier are used again. */
export function sealNew<T extends Table>(
  object: SealedObject<T>,
  plain: Plain<T>,
  drawn: Salts = {},
): { sealed: Sealed<T>; salts: Salts } {
  const salts = { ...drawn };
  return { sealed: object.seal(plain, drawing(salts)).sealed, salts };
}

/** Seals a stored document again with its salts and the digests of erased members, to the same result. */
export function reseal<T extends Table>(
  object: SealedObject<T>,
  document: StoredDocument,
): { sealed: Sealed<T>; disclosed: Disclosures } {
  const { salts, erased } = document;
  const { sealed, disclosures } = object.seal(whole(object, document), remembering(salts));
  for (const [path, { digest }] of Object.entries(erased ?? {})) {
    const { parent } = parentOf(sealed, path.slice(object.prefix.length));
    parent['_sd'] = [...((parent['_sd'] as string[] | undefined) ?? []), digest].sort();
  }
  return { sealed, disclosed: disclosures };
}

/** Seals an approval as it will be signed: it has no time yet. */
export const sealUnsigned = (approval: Omit<ApprovalContent, 'approvedAt'>, salts: Salts): SealedApproval =>
  APPROVAL.seal(approval as ApprovalContent, remembering(salts)).sealed;

/** The digest that an approver approves and the journal holds. Different content has a different digest. */
export const digestOf = (sealed: SealedEvent): string => eventDigest(sealed, sha256Hex);

export const digestOfDisclosure = sealTools.digest;

type Members = Record<string, unknown>;

/** The object that contains a path's member, and the member's name. */
function parentOf(root: object, path: string): { parent: Members; name: string } {
  const names = path.split('.');
  const name = names.pop()!;
  let parent = root as Members;
  for (const each of names) parent = parent[each] as Members;
  return { parent, name };
}

/** A document in its stored form. */
export function split<T extends Table>(
  { prefix, paths }: SealedObject<T>,
  plain: Plain<T>,
): { content: Members; large: Members | null } {
  const content: Members = Object.assign({}, plain);
  const large: Members = {};
  for (const { path, large: isLarge } of paths) {
    if (!isLarge) continue;
    const names = path.slice(prefix.length).split('.');
    const name = names.pop()!;
    let parent = content;
    for (const each of names) parent = parent[each] = { ...(parent[each] as Members) };
    const { [name]: value } = parent;
    delete parent[name];
    if (value !== undefined) large[path] = value;
  }
  return { content, large: Object.keys(large).length > 0 ? large : null };
}

/** A stored document with its large members, which are added to the row's own content. */
export function whole<T extends Table>(
  { prefix }: SealedObject<T>,
  { content, large }: Pick<StoredDocument, 'content' | 'large'>,
): Plain<T> {
  for (const [path, value] of Object.entries(large ?? {})) {
    const { parent, name } = parentOf(content, path.slice(prefix.length));
    parent[name] = value;
  }
  return content as Plain<T>;
}
