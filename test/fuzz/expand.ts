/**
 * Expands documents: contents of records, disclosures, client data and texts of checkpoints become plain values, so that a
 * change can hit them. `fold` restores the document.
 */
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { disclosureDigest } from '@countersign/proof-kit/disclosure';

export type Tree = { [name: string]: unknown };

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object in a value that has a member of this name. */
export function holdersOf(value: unknown, name: string, found: Tree[] = []): Tree[] {
  if (typeof value !== 'object' || value === null) return found;
  if (isTree(value) && Object.hasOwn(value, name)) found.push(value);
  for (const member of Object.values(value)) holdersOf(member, name, found);
  return found;
}

function parsed(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const decoded = (text: unknown): unknown =>
  typeof text === 'string' ? parsed(Buffer.from(text, 'base64url').toString()) : undefined;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Expands a copy. An expanded disclosure keeps its digest, to be found again in the content. */
export function unfold(document: Tree): Tree {
  const copy = structuredClone(document);
  for (const holder of holdersOf(copy, 'content')) {
    const content = parsed(holder['content']);
    if (content !== undefined && holder['content'] === canonicalJson(content)) holder['content'] = content;
  }
  for (const holder of holdersOf(copy, 'disclosures')) {
    if (!Array.isArray(holder['disclosures'])) continue;
    holder['disclosures'] = holder['disclosures'].map((text) => {
      const parts = decoded(text);
      return Array.isArray(parts) ? { parts, digest: disclosureDigest(text as string) } : text;
    });
  }
  return copy;
}

/** Whether the digests of an object are updated with changed disclosures and stay sorted. */
export interface Folding {
  followsDigests: boolean;
}

/** Folds disclosures, then contents, in place. */
export function fold(tree: Tree, { followsDigests }: Folding): void {
  const digests = new Map<string, string>();
  for (const holder of holdersOf(tree, 'disclosures')) {
    if (!Array.isArray(holder['disclosures'])) continue;
    holder['disclosures'] = holder['disclosures'].map((disclosure) => {
      if (!isTree(disclosure) || !Array.isArray(disclosure['parts'])) return disclosure;
      const text = encoded(disclosure['parts']);
      digests.set(String(disclosure['digest']), disclosureDigest(text));
      return text;
    });
  }
  for (const holder of holdersOf(tree, 'content')) {
    if (typeof holder['content'] !== 'object' || holder['content'] === null) continue;
    if (followsDigests) followDigests(holder['content'], digests);
    holder['content'] = canonicalJson(holder['content']);
  }
}

export function followDigests(content: unknown, digests: ReadonlyMap<string, string>): void {
  for (const sealed of holdersOf(content, '_sd')) {
    if (!Array.isArray(sealed['_sd'])) continue;
    sealed['_sd'] = sealed['_sd'].map((digest) => digests.get(String(digest)) ?? digest).sort();
  }
  for (const outcome of holdersOf(content, 'arguments'))
    outcome['arguments'] = digests.get(String(outcome['arguments'])) ?? outcome['arguments'];
}
