// Which members of a row are not what was sealed.

import type { SealedEvent } from '@countersign/proof-kit/sealed-decision';
import { DecisionEventType, EventActorType } from '../../../../db/generated/prisma/enums.ts';
import { type Disclosed, digestOf, digestOfDisclosure, type Erased, type Salts } from '../../content.ts';

type Members = { [name: string]: unknown };

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a row says, sealed as it was sealed before. */
interface ResealedRow {
  sealed: object;
  disclosed: Disclosed;
  salts: Salts;
  erased: Erased | null;
  /** Before the paths of disclosures: `approvals.`, or nothing. */
  prefix: string;
}

/** The paths at which a resealed row differs from what was sealed; `whole` where it cannot be told more closely. */
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
    // What was sealed and is no longer there: its salt tells which one, unless that is gone as well.
    if (gone.length <= added.length) return;
    const lost = vanished.filter((each) => parentOf(bare(each)) === path);
    for (const each of lost) found.add(bare(each));
    if (lost.length === 0) found.add(path || whole);
  }

  compare(original, row.sealed, '');
  return [...found];
}

/**
 * Where only one digest of everything was sealed, and one member in the open was changed that can only have had few values:
 * with the right one the digest fits again, which nothing else could bring about.
 */
export function guessedMember(event: SealedEvent, createdAt: Date, digest: unknown): string[] | null {
  const guesses: [member: string, event: SealedEvent][] = [
    ['occurredAt', { ...event, occurredAt: createdAt.toISOString() }],
    ...Object.values(DecisionEventType).map((type): [string, SealedEvent] => ['type', { ...event, type }]),
    ...Object.values(EventActorType).map((type): [string, SealedEvent] => [
      'actor.type',
      { ...event, actor: { ...event.actor, type } },
    ]),
  ];
  const right = guesses.find(([, guess]) => digestOf(guess) === digest);
  return right ? [right[0]] : null;
}

/** Where only one digest of everything was sealed: what can be told from the salts. */
export function suspectedMembers({ disclosed, salts, erased }: ResealedRow, whole: string): string[] {
  const unsalted = Object.keys(disclosed).filter((path) => !(path in salts));
  const vanished = Object.keys(salts).filter((path) => !(path in disclosed) && !(erased && path in erased));
  const suspects = [...unsalted, ...vanished];
  return suspects.length > 0 ? suspects : [whole];
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? (value as string[]) : []);
const parentOf = (path: string) => path.split('.').slice(0, -1).join('.');
