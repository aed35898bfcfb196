/** The signed statements with which a service closed its logs after a loss, and how chains continue after them. */
import {
  closedOrigin,
  type NoteKey,
  parseClosing,
  type ReadClosing,
  type SignedCheckpoint,
  signersOf,
} from '@countersign/proof-kit';
import { equalBytes } from '@countersign/proof-kit/bytes';
import type { ChainStep } from './chain-growth.ts';
import { Forked } from './forked.ts';
import { getJson, Missing } from './get.ts';
import { holdsHead, tileReader } from './read-entries.ts';

/** The statements that a service publishes; none of a service without any. Signatures are not checked. */
export async function readClosings(url: string): Promise<ReadClosing[]> {
  const published = await getJson<unknown>(`${url}/log/closings`).catch((error: unknown) => {
    if (error instanceof Missing) return [];
    throw error;
  });
  return Array.isArray(published) ? published.flatMap((each) => parseClosing(each) ?? []) : [];
}

/**
 * The statement that closes a log, signed by one of the keys. Throws Forked if there is none, or if there are two. `notes` is
 * what the service signed in the log.
 */
export async function requireClosing(
  closings: readonly ReadClosing[],
  { service, log }: { service: string; log: number },
  keys: readonly NoteKey[],
  notes: string[],
): Promise<ReadClosing> {
  const origin = closedOrigin({ service, log });
  const own = keys.filter(({ name }) => name === service);
  const found: ReadClosing[] = [];
  for (const closing of closings) {
    const isSigned = closedOrigin(closing) === origin && (await signersOf(closing.note, own)).length > 0;
    if (isSigned && !found.some(({ digest }) => digest === closing.digest)) found.push(closing);
  }
  const [closing, other] = found;
  if (!closing)
    throw new Forked(`the service continues in another log, and no signed statement closes ${origin}`, notes);
  if (other)
    throw new Forked(
      `two statements close ${origin}`,
      [closing, other].map(({ published }) => published.note),
    );
  return closing;
}

/** The statement must name the last head that was seen of the log, or a larger one that holds it as far as tiles can show. */
export async function requireClosesHead(
  url: string | null,
  closing: ReadClosing,
  last: SignedCheckpoint,
  note: string,
): Promise<void> {
  const { size, root, published } = closing;
  const notes = [note, published.note];
  if (size < last.size)
    throw new Forked(
      `${last.origin} was closed at ${size} entries, after ${last.size} had been signed`,
      notes,
    );
  const isHeld = size === last.size ? equalBytes(root, last.root) : await holdsIfShown(url, closing, last);
  if (!isHeld)
    throw new Forked(
      `the last head of ${last.origin} does not hold the ${last.size} entries that were signed before`,
      notes,
    );
}

/** Whether a larger head holds an earlier one. Unknown, and then assumed, without an address or where entries are lost. */
async function holdsIfShown(
  url: string | null,
  { size, root, log }: ReadClosing,
  last: SignedCheckpoint,
): Promise<boolean> {
  if (url === null) return true;
  const readTile = tileReader(url, size, `log/${log}`);
  return holdsHead(readTile, last, { origin: last.origin, size, root }).catch((error: unknown) => {
    // Entries missing from every file are lost; the statement declares this loss.
    if (error instanceof Forked) return true;
    throw error;
  });
}

/** What is known of the chains of a service. */
export interface KnownChains {
  /** The newest checkpoint of each chain. */
  chains: ReadonlyMap<string, ChainStep>;
  /** How many records a chain had at least, where a loss left no checkpoint of them. */
  floors: ReadonlyMap<string, number>;
}

/** What is still known after a declared loss: only chains that the statement names may continue from a smaller size. */
export function continueChains({ chains, floors }: KnownChains, closing: ReadClosing): KnownChains {
  const [left, least] = [new Map(chains), new Map(floors)];
  for (const { origin, signed, present } of closing.chains) {
    const known = left.get(origin);
    if (known && known.size > signed)
      throw new Forked(
        `the statement says that ${origin} had ${signed} records, and ${known.size} were signed`,
        [known.note, closing.published.note],
      );
    if (known && known.size > present) left.delete(origin);
    least.set(origin, present);
  }
  return { chains: left, floors: least };
}
