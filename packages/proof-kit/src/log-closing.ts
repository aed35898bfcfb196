/**
 * The signed statement with which a service closes its log after a loss and starts the next one. It has two parts: a note with
 * one value in each line, and a JSON object with the reason and the chains that lost records, whose digest is in the note.
 */
import { toBase64, toHex, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical.ts';
import { numberedLogOrigin, parseOrigin, readTree } from './checkpoint.ts';
import { type Accepted, index, listOf, objectOf, text } from './form.ts';
import { parseSignedNote, type SignedNote } from './note.ts';
import { isRecordTimestamp } from './record.ts';
import { sha256 } from './sha256.ts';

const MAX_CLOSINGS = 100;
const MAX_CHAINS = 10_000;

/** A chain that lost records: how many were signed, and how many remained when the loss was accepted. */
const chainLoss = objectOf({ origin: text, signed: index, present: index });
export type ChainLoss = Accepted<typeof chainLoss>;

const closing = objectOf({
  note: text,
  statement: objectOf({ reason: text, chains: listOf(chainLoss, MAX_CHAINS) }),
});
/** A statement as services publish it and documents carry it. */
export type PublishedClosing = Accepted<typeof closing>;

export const closings = listOf(closing, MAX_CLOSINGS, 1);

export interface LogClosing {
  service: string;
  /** The number of the closed log. */
  log: number;
  /** Its last known head. */
  size: number;
  root: Uint8Array;
  /** The number of the log that follows. */
  next: number;
  at: string;
  reason: string;
  chains: readonly ChainLoss[];
}

const LOG_NUMBER = /^[1-9]\d{0,3}$/;
const HEADING = '/log/closings';

const statementOf = ({ reason, chains }: Pick<LogClosing, 'reason' | 'chains'>) => ({
  reason,
  chains: chains.map(({ origin, signed, present }) => ({ origin, signed, present })),
});

const statementDigest = (statement: PublishedClosing['statement']): string =>
  toBase64(sha256(utf8(canonicalJson(statement))));

/** The text that gets signed, and the object whose digest is in it. */
export function formatClosing(closed: LogClosing): {
  text: string;
  statement: PublishedClosing['statement'];
} {
  const { service, log, size, root, next, at } = closed;
  const statement = statementOf(closed);
  const lines = [service + HEADING, log, size, toBase64(root), next, at, statementDigest(statement)];
  return { text: `${lines.join('\n')}\n`, statement };
}

/** By this digest, witnesses and monitors accept a statement: hex SHA-256 of the text that was signed. */
export const closingDigest = ({ text: signed }: Pick<SignedNote, 'text'>): string =>
  toHex(sha256(utf8(signed)));

export interface ClosingNote extends Omit<LogClosing, 'reason' | 'chains'> {
  note: SignedNote;
  /** In base64. */
  statementDigest: string;
}

/** Null for anything that is not exactly such a note. Its signatures are not checked. */
export function parseClosingNote(signed: string): ClosingNote | null {
  try {
    const note = parseSignedNote(signed);
    const [heading, log, size, root, next, at, digest, ...more] = note.text.slice(0, -1).split('\n');
    const service = heading!.slice(0, -HEADING.length);
    const tree = readTree(size!, root!);
    const isWhole =
      more.length === 0 &&
      heading === service + HEADING &&
      parseOrigin(`${service}/log`) !== null &&
      LOG_NUMBER.test(log!) &&
      next === String(Number(log) + 1) &&
      LOG_NUMBER.test(next) &&
      isRecordTimestamp(at!) &&
      /^[A-Za-z0-9+/]{43}=$/.test(digest!);
    if (!isWhole) return null;
    return {
      service,
      log: Number(log),
      ...tree,
      next: Number(next),
      at: at!,
      note,
      statementDigest: digest!,
    };
  } catch {
    return null;
  }
}

/** Whether the JSON object is the one that the note names. */
export const isStatementOf = (
  { statementDigest: signed }: ClosingNote,
  statement: PublishedClosing['statement'],
): boolean => statementDigest(statement) === signed;

export interface ReadClosing extends LogClosing {
  note: SignedNote;
  digest: string;
  published: PublishedClosing;
}

/** Both parts of a statement, if they belong together; null otherwise. Signatures are not checked. */
export function parseClosing(value: unknown): ReadClosing | null {
  if (closing(value, '') !== null) return null;
  const published = value as PublishedClosing;
  const note = parseClosingNote(published.note);
  if (note === null || !isStatementOf(note, published.statement)) return null;
  const { statementDigest: _, ...rest } = note;
  return { ...rest, ...published.statement, digest: closingDigest(note.note), published };
}

/** The origin of the log that a statement closes. */
export const closedOrigin = ({ service, log }: Pick<LogClosing, 'service' | 'log'>): string =>
  numberedLogOrigin(service, log);

/** The loss of a chain's record that a statement declares, if it does. */
export function declaresLost({ chains }: Pick<LogClosing, 'chains'>, origin: string, place: number): boolean {
  return chains.some((chain) => chain.origin === origin && chain.present <= place && place < chain.signed);
}
