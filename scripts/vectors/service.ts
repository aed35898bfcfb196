/** A fully deterministic service: chains, their signed checkpoints, the head log over them, and its witnesses. */
import { utf8 } from '@countersign/proof-kit/bytes';
import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { formatCheckpoint, numberedLogOrigin, parseCheckpoint } from '@countersign/proof-kit/checkpoint';
import { cosign } from '@countersign/proof-kit/cosignature';
import { type ChainLoss, formatClosing, type PublishedClosing } from '@countersign/proof-kit/log-closing';
import { leafHash, nodeHash } from '@countersign/proof-kit/merkle';
import { noteSignature, signNote } from '@countersign/proof-kit/note';
import type { Inclusion, OwnHead, ProofKey } from '@countersign/proof-kit/proof-document';
import { recordHash } from '@countersign/proof-kit/record';
import { type NoteKey, noteKeyId } from '@countersign/proof-kit/vkey';
import type { NoteSigner } from './signers.ts';

export interface VectorRecord {
  content: string;
  previousHash: string;
  timestamp: string;
  hash: string;
}

/** The place of a record. */
export interface VectorPlace {
  origin: string;
  domain: string;
  index: number;
}

export interface SignedState {
  inclusion: Inclusion;
  head: Inclusion;
  publicKey: ProofKey;
}

export interface Witness {
  key: NoteKey;
  signer: NoteSigner;
  /** When it cosigns, in seconds since 1970, if not with the others. */
  at?: number;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const COSIGNED_AT = Date.UTC(2026, 1, 1, 8) / 1000;

/** The root of a list of leaves, and the siblings on a leaf's path (RFC 9162, written for clarity). */
function root(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  const split = splitOf(leaves.length);
  return nodeHash(root(leaves.slice(0, split)), root(leaves.slice(split)));
}

function path(index: number, leaves: Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  return index < split
    ? [...path(index, leaves.slice(0, split)), root(leaves.slice(split))]
    : [...path(index - split, leaves.slice(split)), root(leaves.slice(0, split))];
}

function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

export class VectorService {
  readonly name: string;
  readonly #signers: NoteSigner[];
  readonly #witnesses: Witness[];
  readonly #chains = new Map<string, VectorRecord[]>();
  #log: string[] = [];
  /** The statements that closed the logs before the current one. */
  readonly #closings: PublishedClosing[] = [];
  readonly #untrue: ChainLoss[] = [];
  #head: { size: number; signed: string; note: string } | null = null;

  constructor(name: string, signers: NoteSigner[], witnesses: Witness[]) {
    this.name = name;
    this.#signers = signers;
    this.#witnesses = witnesses;
  }

  get publicUrl(): string {
    return `https://${this.name}`;
  }

  append(center: number, domain: string, content: string, timestamp: string): VectorPlace {
    const origin = `${this.name}/chains/${center}/${domain}`;
    const chain = this.#chains.get(origin) ?? [];
    this.#chains.set(origin, chain);
    const record = { content, previousHash: chain.at(-1)?.hash ?? '', timestamp };
    chain.push({ ...record, hash: recordHash(record) });
    return { origin, domain, index: chain.length - 1 };
  }

  appendJson(center: number, domain: string, content: JsonValue, timestamp: string): VectorPlace {
    return this.append(center, domain, canonicalJson(content), timestamp);
  }

  size(origin: string): number {
    return this.#chains.get(origin)?.length ?? 0;
  }

  record({ origin, index }: VectorPlace): VectorRecord {
    return this.#chains.get(origin)![index]!;
  }

  /** Signs the state of every chain, adds it to the head log and has the head cosigned. */
  async settle(): Promise<void> {
    for (const [origin, records] of this.#chains) {
      const leaves = records.map(({ hash }) => leafHash(Buffer.from(hash, 'hex')));
      this.#log.push(await this.#sign(origin, records.length, root(leaves)));
    }
    const leaves = this.#log.map((note) => leafHash(utf8(note)));
    const origin = numberedLogOrigin(this.name, this.#closings.length + 1);
    const note = await this.#sign(origin, leaves.length, root(leaves));
    this.#head = { size: leaves.length, signed: note, note };
    await this.cosign(this.#witnesses);
  }

  /** Has the newest head cosigned by these witnesses instead. */
  async cosign(witnesses: readonly Witness[]): Promise<void> {
    let note = this.#head!.signed;
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    for (const { key, signer, at = COSIGNED_AT } of witnesses)
      note += await cosign(text, at, key, signer.sign);
    this.#head!.note = note;
  }

  async #sign(origin: string, size: number, hash: Uint8Array): Promise<string> {
    return this.signText(formatCheckpoint({ origin, size, root: hash }));
  }

  async signText(text: string, signers = this.#signers): Promise<string> {
    const [first, ...more] = signers;
    const key = ({ publicKey }: NoteSigner) => ({ name: this.name, publicKey });
    let note = await signNote(text, key(first!), first!.sign);
    for (const signer of more) note += await noteSignature(text, key(signer), signer.sign);
    return note;
  }

  /** The next statement names this loss, though the records stay. */
  declareLost(loss: ChainLoss): void {
    this.#untrue.push(loss);
  }

  /** Closes the log. The chains named lose the records from `present` on; the next log is empty. */
  async close(reason: string, lost: { origin: string; present: number }[], at: string): Promise<void> {
    const { size, root: hash } = parseCheckpoint(this.#head!.note);
    const chains: ChainLoss[] = lost.map(({ origin, present }) => {
      const records = this.#chains.get(origin)!;
      return { origin, signed: present + records.splice(present).length, present };
    });
    chains.push(...this.#untrue.splice(0));
    const log = this.#closings.length + 1;
    const { text, statement } = formatClosing({
      service: this.name,
      log,
      size,
      root: hash,
      next: log + 1,
      at,
      reason,
      chains,
    });
    this.#closings.push({ note: await this.signText(text), statement });
    this.#log = [];
    this.#head = null;
  }

  /** The proof that a record is in the newest signed state of its chain, and that state in the head log. */
  state({ origin, index }: VectorPlace): SignedState {
    const at = this.#log.findLastIndex((note) => note.startsWith(`${origin}\n`));
    const checkpoint = this.#log[at]!;
    const size = Number(checkpoint.split('\n')[1]);
    const records = this.#chains.get(origin)!.slice(0, size);
    const leaves = records.map(({ hash }) => leafHash(Buffer.from(hash, 'hex')));
    const logged = this.#log.slice(0, this.#head!.size).map((note) => leafHash(utf8(note)));
    const { publicKey } = this.#signers[0]!;
    return {
      inclusion: { leafIndex: index, treeSize: size, hashes: path(index, leaves).map(hex), checkpoint },
      head: {
        leafIndex: at,
        treeSize: logged.length,
        hashes: path(at, logged).map(hex),
        checkpoint: this.#head!.note,
      },
      publicKey: {
        keyId: noteKeyId({ name: this.name, publicKey }),
        name: this.name,
        publicKey: Buffer.from(publicKey).toString('base64'),
      },
    };
  }

  /** The same for a document's own record: its head carries the statements that closed earlier logs. */
  ownState(place: VectorPlace): SignedState & { head: OwnHead } {
    const state = this.state(place);
    if (this.#closings.length === 0) return state;
    return { ...state, head: { ...state.head, closings: [...this.#closings] } };
  }
}
