/**
 * The signed statement with which a service closes its log after a loss and names the successor. It is a signed note: the line
 * `<service>/losses`, then one line of canonical JSON.
 */
import { canonicalJson, type JsonValue } from './canonical.ts';
import { keyNameFor, parseOrigin } from './checkpoint.ts';
import { parseSignedNote, type SignedNote } from './note.ts';

/** A chain that lost records: what was signed, and what remained when the loss was accepted. */
export interface ChainLoss {
  chain: string;
  signedSize: number;
  presentSize: number;
}

export interface LogClosing {
  at: string;
  closed: {
    origin: string;
    /** The largest size that any source knew. */
    signedSize: number;
    presentSize: number;
    /** The last known head, as signed; null if none is known. */
    head: string | null;
  };
  /** The origin of the successor. */
  successor: string;
  chains: ChainLoss[];
  reason: string;
}

const headingFor = (origin: string) => `${keyNameFor(origin)}/losses`;

/** The text that gets signed. */
export function formatClosing(closing: LogClosing): string {
  return `${headingFor(closing.closed.origin)}\n${canonicalJson(closing as unknown as JsonValue)}\n`;
}

const isSize = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** A parsed statement and its note for checking the signature; null for anything else. */
export function parseClosing(statement: string): { closing: LogClosing; note: SignedNote } | null {
  try {
    const note = parseSignedNote(statement);
    const [heading, body] = note.text.split('\n');
    const closing = JSON.parse(body!) as LogClosing;
    const { closed, successor, chains, reason, at } = closing;
    const [from, to] = [parseOrigin(closed.origin), parseOrigin(successor)];
    const isWhole =
      heading === headingFor(closed.origin) &&
      from?.chain === null &&
      to?.chain === null &&
      to.service === from.service &&
      to.log === from.log + 1 &&
      isSize(closed.signedSize) &&
      isSize(closed.presentSize) &&
      (closed.head === null || typeof closed.head === 'string') &&
      chains.every(
        (loss) => parseOrigin(loss.chain)?.chain && isSize(loss.signedSize) && isSize(loss.presentSize),
      ) &&
      typeof reason === 'string' &&
      typeof at === 'string';
    return isWhole ? { closing, note } : null;
  } catch {
    return null;
  }
}
