/** The chain rule: how a record is hashed and linked to the previous record. */
import { toHex, utf8 } from './bytes.ts';
import { type Digest, sha256 } from './sha256.ts';

/** The hashed parts of a record, exactly as stored. */
export interface ChainRecord {
  /** Any text; for a sealed decision the canonical JSON of event, approvals and policy. */
  content: string;
  /** 64 lower-case hex digits, or the empty string for the first record of a chain. */
  previousHash: string;
  /** ISO 8601 in UTC with milliseconds, 24 characters. */
  timestamp: string;
}

export const GENESIS_PREVIOUS_HASH = '';
export const HASH_PREFIX = 'sha256:';

const HASH = /^[0-9a-f]{64}$/;
const TIMESTAMP = /^(?:19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function isRecordHash(text: string): boolean {
  return HASH.test(text);
}

/** The date must exist too: February 30 has the right shape but would not survive a round trip. */
export function isRecordTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
}

/**
 * SHA-256 over content, previous hash and timestamp, as bare hex. Malformed parts throw: the three are joined without
 * separators, so only the fixed lengths of the last two keep the boundaries unambiguous.
 */
export function recordHash(record: ChainRecord, digest: Digest = sha256): string {
  const { content, previousHash, timestamp } = record;
  // Encoding would turn every lone surrogate into the same replacement character: two contents, one hash.
  if (!content.isWellFormed()) throw new TypeError('content is not well-formed Unicode');
  if (previousHash !== GENESIS_PREVIOUS_HASH && !isRecordHash(previousHash)) {
    throw new TypeError('previousHash must be 64 hex digits, or empty for the first record');
  }
  if (!isRecordTimestamp(timestamp)) throw new TypeError('timestamp must be ISO 8601 UTC with milliseconds');
  return toHex(digest(utf8(content + previousHash + timestamp)));
}
