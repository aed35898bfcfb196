/**
 * The history of a service's signing keys: lines of canonical JSON, each signed by an earlier key. A reader who trusts one key
 * can follow the history to the others; a key without such a signature is noticed.
 */
import { fromBase64, toBase64, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical.ts';
import { verifyEd25519 } from './ed25519.ts';
import type { Sign } from './note.ts';
import { type NoteKey, noteKeyId, parseVerifierKey } from './vkey.ts';

export interface KeyStatement {
  /** When it takes effect; a retired key signs until then. */
  at: string;
  event: 'added' | 'retired';
  vkey: string;
  /** The id of the key that signed this line; null if a lost key was replaced and the new one signed itself. */
  signedBy: string | null;
}

interface KeyLine extends KeyStatement {
  /** In base64, over the canonical JSON of the line without it. */
  signature: string;
}

export interface HistoricKey {
  name: string;
  /** 8 hex digits. */
  keyId: string;
  vkey: string;
  /** The 32 bytes in base64. */
  publicKey: string;
  from: string;
  until: string | null;
  signedBy: string | null;
  /** The id of the key that retired it, which thereby recognized it as a key of this service. */
  retiredBy: string | null;
  /** Whether an unbroken sequence of signatures leads here from the first key. */
  vouched: boolean;
}

/** An invalid history: a line that cannot be read or has no valid signature. */
export class KeyHistoryError extends Error {
  constructor(line: number, reason: string) {
    super(`line ${line + 1} of the key history: ${reason}`);
    this.name = 'KeyHistoryError';
  }
}

const MEMBERS = 'at,event,signature,signedBy,vkey';
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

function statementText({ at, event, vkey, signedBy }: KeyStatement): string {
  return canonicalJson({ at, event, vkey, signedBy });
}

/** The stored line, without a newline. */
export async function signKeyStatement(statement: KeyStatement, sign: Sign): Promise<string> {
  const signature = toBase64(await sign(utf8(statementText(statement))));
  return canonicalJson({ ...statement, signature });
}

function parseLine(text: string): KeyLine {
  const line = JSON.parse(text) as KeyLine;
  if (typeof line !== 'object' || line === null || Object.keys(line).sort().join() !== MEMBERS)
    throw new TypeError('it does not have the members of a line');
  if (canonicalJson({ ...line }) !== text) throw new TypeError('it is not canonical JSON');
  if (line.event !== 'added' && line.event !== 'retired') throw new TypeError('it tells of an unknown event');
  if (typeof line.at !== 'string' || !TIME.test(line.at) || Number.isNaN(Date.parse(line.at)))
    throw new TypeError('it has no time');
  if (line.signedBy !== null && typeof line.signedBy !== 'string')
    throw new TypeError('it does not say who signed it');
  if (typeof line.signature !== 'string' || typeof line.vkey !== 'string')
    throw new TypeError('key and signature are text');
  return line;
}

/** The key that must have signed a line; it must be known and not retired. */
function signerOf(line: KeyLine, own: NoteKey, keys: HistoricKey[]): { key: NoteKey; vouched: boolean } {
  const first = keys.length === 0;
  if (line.signedBy === null) {
    if (line.event !== 'added') throw new TypeError('only a replacement may lack a signer');
    return { key: own, vouched: false };
  }
  if (first && line.signedBy === noteKeyId(own)) return { key: own, vouched: true };
  const signer = keys.find(({ keyId }) => keyId === line.signedBy);
  if (!signer) throw new TypeError(`it is signed by ${line.signedBy}, which is not known before it`);
  if (signer.until !== null) throw new TypeError(`it is signed by ${line.signedBy}, which is retired`);
  return { key: parseVerifierKey(signer.vkey), vouched: signer.vouched };
}

function apply(line: KeyLine, own: NoteKey, vouched: boolean, keys: HistoricKey[]): HistoricKey[] {
  const keyId = noteKeyId(own);
  const known = keys.find((key) => key.keyId === keyId);
  if (line.event === 'retired') {
    if (!known) throw new TypeError('it retires a key that was never added');
    // A retirement can be brought forward, never postponed.
    if (known.until !== null && known.until <= line.at)
      throw new TypeError('it retires a key that is retired already');
    return keys.map((key) => (key === known ? { ...key, until: line.at, retiredBy: line.signedBy } : key));
  }
  if (known) throw new TypeError('it adds a key that is there already');
  // A replacement declares the earlier keys lost: none of them signs any more.
  const before =
    line.signedBy === null ? keys.map((key) => ({ ...key, until: earlier(key.until, line.at) })) : keys;
  const added: HistoricKey = {
    name: own.name,
    keyId,
    vkey: line.vkey,
    publicKey: toBase64(own.publicKey),
    from: line.at,
    until: null,
    signedBy: line.signedBy,
    retiredBy: null,
    vouched,
  };
  return [...before, added];
}

const earlier = (until: string | null, at: string): string => (until === null || at < until ? at : until);

/** Follows a history from its first line and checks every signature. Throws a KeyHistoryError at the first fault. */
export async function readKeyHistory(lines: readonly string[]): Promise<HistoricKey[]> {
  let keys: HistoricKey[] = [];
  for (const [i, text] of lines.entries()) {
    try {
      const line = parseLine(text);
      const own = parseVerifierKey(line.vkey);
      const { key, vouched } = signerOf(line, own, keys);
      const status = await verifyEd25519(
        key.publicKey,
        fromBase64(line.signature),
        utf8(statementText(line)),
      );
      if (status !== 'valid') throw new TypeError('its signature is wrong');
      keys = apply(line, own, vouched, keys);
    } catch (error) {
      throw new KeyHistoryError(i, (error as Error).message);
    }
  }
  return keys;
}

/** The active keys at a time. */
export function keysSigningAt(keys: readonly HistoricKey[], at: Date): HistoricKey[] {
  const now = at.toISOString();
  return keys.filter(({ from, until }) => from <= now && (until === null || now < until));
}
