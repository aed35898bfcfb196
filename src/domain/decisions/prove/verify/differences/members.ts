// Determines which members of a row differ from what was sealed.

import { ACTOR_TYPES, EVENT_TYPES, type SealedEvent } from '@countersign/proof-kit/decision';
import type { Disclosures } from '@countersign/proof-kit/sealed-object';
import { isObject } from '../../../../../lib/json.ts';
import { digestOf, digestOfDisclosure, type Erased, type Salts } from '../../../content.ts';

/** A row's content, sealed again with its stored salts. */
interface ResealedRow {
  sealed: object;
  disclosed: Disclosures;
  salts: Salts;
  erased: Erased | null;
  /** The prefix of disclosure paths: `approvals.` or empty. */
  prefix: string;
}

/** The paths at which a resealed row differs from what was sealed; `whole` if the path cannot be determined. */
export function differingMembers(original: unknown, row: ResealedRow, whole: string): string[] {
  const { disclosed, salts, erased, prefix } = row;
  const pathOf = new Map<string, string>();
  const bare = (path: string) => path.slice(prefix.length);
  for (const path in disclosed) pathOf.set(digestOfDisclosure(disclosed[path]!), bare(path));
  for (const path in erased) pathOf.set(erased[path]!.digest, bare(path));
  const vanished = Object.keys(salts).filter((path) => !(path in disclosed) && !(erased && path in erased));
  const found = new Set<string>();

  function compare(was: unknown, is: unknown, path: string): void {
    if (!isObject(was) || !isObject(is)) {
      if (was !== is) found.add(path || whole);
      return;
    }
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (name !== '_sd') compare(was[name], is[name], path ? `${path}.${name}` : name);
    }
    compareDigests(listOf(was['_sd']), listOf(is['_sd']), path);
  }

  function compareDigests(was: string[], is: string[], path: string): void {
    const added = is.filter((digest) => !was.includes(digest));
    const gone = was.filter((digest) => !is.includes(digest));
    if (added.length + gone.length === 0) return;
    for (const digest of added) found.add(pathOf.get(digest) ?? (path || whole));
    // A sealed member is missing. Its salt tells which one, unless the salt is missing too.
    if (gone.length <= added.length) return;
    const lost = vanished.filter((each) => parentOf(bare(each)) === path);
    for (const each of lost) found.add(bare(each));
    if (lost.length === 0) found.add(path || whole);
  }

  compare(original, row.sealed, '');
  return [...found];
}

/**
 * For content of which only the total digest was sealed. Tries the few possible values of each public member: a value that
 * restores the digest must be the original, so that member was changed.
 */
export function guessedMember(event: SealedEvent, createdAt: Date, digest: unknown): string[] | null {
  const guesses: [member: string, event: SealedEvent][] = [
    ['occurredAt', { ...event, occurredAt: createdAt.toISOString() }],
    ...EVENT_TYPES.map((type): [string, SealedEvent] => ['type', { ...event, type }]),
    ...ACTOR_TYPES.map((type): [string, SealedEvent] => [
      'actor.type',
      { ...event, actor: { ...event.actor, type } },
    ]),
  ];
  const right = guesses.find(([, guess]) => digestOf(guess) === digest);
  return right ? [right[0]] : null;
}

/** For content of which only the total digest was sealed: the members that the salts make suspect. */
export function possiblyChangedMembers({ disclosed, salts, erased }: ResealedRow, whole: string): string[] {
  const unsalted = Object.keys(disclosed).filter((path) => !(path in salts));
  const vanished = Object.keys(salts).filter((path) => !(path in disclosed) && !(erased && path in erased));
  const suspects = [...unsalted, ...vanished];
  return suspects.length > 0 ? suspects : [whole];
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);
const parentOf = (path: string) => path.split('.').slice(0, -1).join('.');
