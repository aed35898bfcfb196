/**
 * Whether the records of a document are in the signed log: its own record and every additional one, by the same rules.
 * Collects what is missing, what cannot be checked and who signed.
 */
import { fromHex, toHex, utf8 } from './bytes.ts';
import { parseOrigin, type SignedCheckpoint } from './checkpoint.ts';
import { verifyNote } from './note.ts';
import type { AttachedRecord, Inclusion, ProofDocument } from './proof-document.ts';
import { recordHash } from './record.ts';
import { CannotCheck, Refutation } from './sealed-content.ts';
import {
  chooseSigner,
  cosignaturesOf,
  documentKey,
  ED25519_SIGNATURES,
  keyNameOf,
  quorumOf,
  type Signer,
  type Trust,
  type TrustedServiceKey,
} from './trust.ts';
import {
  checkIncluded,
  type KnownCheckpoint,
  readCheckpoint,
  type SeenCheckpoint,
  seen,
} from './verify-tree.ts';
import type { NoteKey } from './vkey.ts';
import { UNWITNESSED, type WitnessTimes, witnessTimes } from './witness-time.ts';

/** A record and its place, as far as the document shows it. */
interface SeenRecord {
  origin: string;
  index: number;
  /** Hex. */
  hash: string;
  /** Empty for the first record of a chain. */
  previousHash: string;
  /** The number of the log whose head covers it; null without a head. */
  log: number | null;
}

/** A note of a service. */
type SignedBy = Pick<SignedCheckpoint, 'note'> & { parts: Pick<KnownCheckpoint['parts'], 'service'> };

const UNKNOWN_SIGNER = { trusted: 'unnamed' } as const;

export class LogCheck {
  readonly missing: string[] = [];
  readonly cannot = new Set<string>();
  readonly checkpoints: SeenCheckpoint[] = [];
  readonly records: SeenRecord[] = [];
  /** One per checkpoint, that of the document's own chain first. */
  readonly signers: Signer[] = [];
  /** Witnesses whose clocks do not fit the time of a record. */
  readonly clocksOff = new Set<string>();
  readonly #document: ProofDocument;
  readonly #trust: Trust;
  readonly #statuses = new Map<string, Awaited<ReturnType<typeof verifyNote>>>();

  constructor(document: ProofDocument, trust: Trust) {
    this.#document = document;
    this.#trust = trust;
  }

  /** A check that this runtime may not support: if so, it is named and the others continue. */
  async attempt<T>(check: () => Promise<T>): Promise<T | null> {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error;
      this.cannot.add(error.message);
      return null;
    }
  }

  async #status(checkpoint: Pick<SignedCheckpoint, 'note'>, text: string, key: NoteKey, what: string) {
    const name = `${toHex(key.publicKey)} ${key.name} ${text}`;
    const status = this.#statuses.get(name) ?? (await verifyNote(checkpoint.note, key));
    this.#statuses.set(name, status);
    if (status === 'unsupported') throw new CannotCheck(ED25519_SIGNATURES);
    if (status === 'invalid') throw new Refutation(`the signature of ${what} is wrong`);
    return status;
  }

  /**
   * The trusted keys that signed a checkpoint. The chain's own checkpoint must be signed by the key that the document names.
   */
  async signedBy(
    checkpoint: SignedBy,
    text: string,
    what: string,
    isOwn: boolean,
  ): Promise<TrustedServiceKey[]> {
    const { service } = checkpoint.parts;
    const own = documentKey(this.#document.publicKey!, service);
    const status = await this.#status(checkpoint, text, own, what);
    if (status === 'unsigned' && isOwn) throw new Refutation(`${what} is not signed by publicKey`);
    const { keys } = this.#trust;
    if (keys === undefined) {
      if (status === 'unsigned') this.missing.push(`key of ${what}`);
      return [];
    }
    const signed: TrustedServiceKey[] = [];
    for (const key of keys)
      if (key.name === service && (await this.#status(checkpoint, text, key, what)) === 'valid')
        signed.push(key);
    if (signed.length === 0) throw new Refutation(`${what} is not signed by a trusted key`);
    return signed;
  }

  /** Records whose signature counts, once it is known when it existed: from the cosignatures of the record's own head. */
  noteSigner(signed: readonly TrustedServiceKey[], { quorumAt }: Pick<WitnessTimes, 'quorumAt'>): Signer {
    const now = this.#trust.now ?? new Date().toISOString();
    const isRetired = (until: string) => until < now && !(quorumAt !== null && quorumAt <= Date.parse(until));
    const signer =
      signed.length === 0
        ? { key: keyNameOf(documentKeyOf(this.#document)), ...UNKNOWN_SIGNER }
        : chooseSigner(signed, isRetired);
    this.signers.push(signer);
    return signer;
  }

  /** The head of a record's chain in the head log: notes who signed both, and returns when witnesses saw it. */
  async witnessed(
    chain: KnownCheckpoint & { signed: TrustedServiceKey[] | null },
    inclusion: Inclusion,
    head: Inclusion,
    { prefix, late, timestamp }: { prefix: string; late: string; timestamp: string },
  ): Promise<WitnessTimes> {
    const what = `${prefix}head.checkpoint`;
    const checkpoint = readCheckpoint(head.checkpoint, what);
    const { service } = chain.parts;
    if (checkpoint.parts.chain !== null || checkpoint.parts.service !== service)
      throw new Refutation(`${what} is not of the log of ${service}`);
    checkIncluded(utf8(inclusion.checkpoint), head, checkpoint, `${prefix}head`);
    const signed = await this.attempt(() => this.signedBy(checkpoint, head.checkpoint, what, false));
    this.checkpoints.push(seen(checkpoint, head.checkpoint));
    const cosigned = (await this.attempt(() => cosignaturesOf(checkpoint, this.#trust))) ?? [];
    const quorum = quorumOf(this.#trust);
    const times = witnessTimes(cosigned, timestamp, this.#trust);
    if (times === null) throw new Refutation(late);
    for (const name of times.off) this.clocksOff.add(name);
    const { length: count } = times.counted;
    if (count < quorum) this.missing.push(`${prefix}quorum (${count} of ${quorum} witnesses)`);
    if (chain.signed) this.noteSigner(chain.signed, times);
    if (signed && signed.length > 0) this.noteSigner(signed, times);
    return times;
  }

  /** Checks an additional record of the document. `isExpected` says whether it is on the right chain. */
  async attached(
    place: string,
    attached: Omit<AttachedRecord, 'disclosures'>,
    isExpected: (origin: string) => boolean,
  ): Promise<void> {
    const { record, inclusion, head } = attached;
    if (inclusion === undefined) {
      if (this.#document.inclusion) this.missing.push(`${place}.inclusion`);
      if (this.#document.head && quorumOf(this.#trust) > 0) this.missing.push(`${place}.head`);
      return;
    }
    const what = `${place}.inclusion.checkpoint`;
    const chain = readCheckpoint(inclusion.checkpoint, what);
    if (!isExpected(chain.origin)) throw new Refutation(`${what} is about another chain: ${chain.origin}`);
    if ((record.previousHash === '') !== (inclusion.leafIndex === 0))
      throw new Refutation('the first record of a chain, and no other, has no predecessor');
    const hash = recordHash(record);
    checkIncluded(fromHex(hash), inclusion, chain, `${place}.inclusion`);
    const signed = await this.attempt(() => this.signedBy(chain, inclusion.checkpoint, what, false));
    this.checkpoints.push(seen(chain, inclusion.checkpoint));
    const { leafIndex: index } = inclusion;
    const log = head ? logNumberOf(head) : null;
    this.records.push({ origin: chain.origin, index, hash, previousHash: record.previousHash, log });
    if (head === undefined) {
      if (this.#document.head && quorumOf(this.#trust) > 0) this.missing.push(`${place}.head`);
      if (signed) this.noteSigner(signed, UNWITNESSED);
      return;
    }
    const { timestamp } = record;
    const late = `${place} was recorded after a witness saw it`;
    const own = { ...chain, signed };
    await this.witnessed(own, inclusion, head, { prefix: `${place}.`, late, timestamp });
  }
}

/** The number of the log that a head belongs to; null if it is of no log. */
export function logNumberOf({ checkpoint }: Inclusion): number | null {
  const parts = parseOrigin(checkpoint.slice(0, checkpoint.indexOf('\n')));
  return parts?.chain === null ? parts.log : null;
}

function documentKeyOf({ publicKey }: ProofDocument): NoteKey {
  return documentKey(publicKey!, publicKey!.name);
}
