// A statement that closed a log, as the database and the checkpoint file store it: the canonical JSON of the two published parts and
// the last known head of the closed log. Statements of releases before the published form are notes with all values in one line.
import {
  type ChainLoss,
  closedOrigin,
  numberedLogOrigin,
  type PublishedClosing,
  parseClosing,
  parseOrigin,
  type ReadClosing,
} from '@countersign/proof-kit';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { parseSignedNote, type SignedNote } from '@countersign/proof-kit/note';
import { tryParse } from './signatures.ts';

export interface StoredClosing {
  /** The closed log and its successor. */
  origin: string;
  successor: string;
  at: string;
  reason: string;
  chains: readonly ChainLoss[];
  /** The size of the last known head, and its note; null if there is none. */
  size: number;
  head: string | null;
  /** Signed by the service; not verified yet. */
  note: SignedNote;
  /** Null for a statement of the earlier form, which no reader of the published form could verify. */
  published: PublishedStatement | null;
}

export interface PublishedStatement {
  closing: PublishedClosing;
  /** By which witnesses and monitors accept it. */
  digest: string;
}

export const storeClosing = (closing: PublishedClosing, head: string | null): string =>
  canonicalJson({ ...closing, head });

/** Null for anything that is not a whole statement. */
export function parseStoredClosing(text: string): StoredClosing | null {
  try {
    return text.startsWith('{') ? parsePublished(text) : parseEarlier(text);
  } catch {
    return null;
  }
}

function parsePublished(text: string): StoredClosing | null {
  const { head, ...parts } = JSON.parse(text) as { head: string | null };
  const closing = parseClosing(parts);
  if (closing === null || !isHeadOf(closing, head)) return null;
  const { service, next, at, reason, chains, size, note, published, digest } = closing;
  return {
    origin: closedOrigin(closing),
    successor: numberedLogOrigin(service, next),
    at,
    reason,
    chains,
    size,
    head,
    note,
    published: { closing: published, digest },
  };
}

/** A log without any known head is closed as an empty one. */
function isHeadOf(closing: ReadClosing, note: string | null): boolean {
  if (note === null) return closing.size === 0;
  const head = tryParse(note);
  return (
    head?.origin === closedOrigin(closing) &&
    head.size === closing.size &&
    Buffer.compare(head.root, closing.root) === 0
  );
}

function parseEarlier(text: string): StoredClosing | null {
  const note = parseSignedNote(text);
  const [heading, body] = note.text.split('\n');
  const { at, closed, successor, chains, reason } = JSON.parse(body!) as {
    at: string;
    closed: { origin: string; signedSize: number; head: string | null };
    successor: string;
    chains: { chain: string; signedSize: number; presentSize: number }[];
    reason: string;
  };
  const parts = parseOrigin(closed.origin);
  const isWhole =
    parts?.chain === null &&
    heading === `${parts.service}/losses` &&
    successor === numberedLogOrigin(parts.service, parts.log + 1);
  if (!isWhole) return null;
  return {
    origin: closed.origin,
    successor,
    at,
    reason,
    chains: chains.map(({ chain: origin, signedSize: signed, presentSize: present }) => ({
      origin,
      signed,
      present,
    })),
    size: closed.signedSize,
    head: closed.head,
    note,
    published: null,
  };
}
