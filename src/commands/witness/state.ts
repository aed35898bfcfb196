import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from '@countersign/auditor/state-file';
import {
  formatWitnessKey,
  type NoteKey,
  parseOrigin,
  parseWitnessKey,
  type ReadClosing,
  type Sign,
} from '@countersign/proof-kit';
import { sha256Hex } from '../../lib/crypto.ts';
import { acceptedDigests, keepClosing, readKnownClosing } from './acceptances.ts';
import { KEY_FILE, writeWhole } from './files.ts';

/** The state of a witness: its key, the newest cosigned checkpoint and the entries read of every log, and evidence. */
export interface WitnessState {
  key: NoteKey;
  vkey: string;
  sign: Sign;
  /** The newest checkpoint of a log, with the signatures of the log and of this witness; null for an unknown log. */
  latest(origin: string): Promise<string | null>;
  /** The same by the SHA-256 of the origin, in hex. */
  latestByHash(hash: string): Promise<string | null>;
  /** The number of the newest log of a service that was cosigned; 0 if none was. */
  newestLog(service: string): Promise<number>;
  /** Durable once this resolves. */
  keep(origin: string, note: string): Promise<void>;
  /** The stored reading of a log's entries; null if there is none. */
  followed(origin: string): Promise<string | null>;
  keepFollowed(origin: string, followed: string): Promise<void>;
  /** Statements that closed logs: those read, by digest, and the digests of those that the operator accepted. */
  knownClosing(digest: string): Promise<ReadClosing | null>;
  keepClosing(closing: ReadClosing): Promise<void>;
  acceptedDigests(): Promise<string[]>;
  /** Stores the reason why a head was rejected in the folder `evidence`, once per reason. */
  keepEvidence(evidence: RefusedHead): Promise<void>;
}

/** A head that contradicts what was signed before. */
interface RefusedHead {
  origin: string;
  reason: string;
  /** The signed notes that contradict each other. */
  notes: string[];
}

const RAW_BYTES = 32;

export async function openWitnessState(folder: string, name: string | undefined): Promise<WitnessState> {
  await mkdir(folder, { recursive: true });
  const keyPath = join(folder, KEY_FILE);
  const vkeyPath = join(folder, 'witness.vkey');
  let pem = await readIfPresent(keyPath);
  if (pem === null) {
    const { privateKey } = generateKeyPairSync('ed25519');
    pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeWhole(folder, keyPath, pem, 0o600);
  }
  const privateKey = createPrivateKey(pem);
  const publicKey = new Uint8Array(
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES),
  );
  const known = await readIfPresent(vkeyPath);
  const key = known
    ? parseWitnessKey(known.trim())
    : { name: name ?? `witness-${sha256Hex(publicKey).slice(0, 8)}`, publicKey };
  if (Buffer.compare(key.publicKey, publicKey) !== 0)
    throw new Error(`${vkeyPath} does not belong to the key beside it`);
  if (known && name !== undefined && name !== key.name)
    throw new Error(`this witness is called ${key.name}: a name is given once`);
  const vkey = formatWitnessKey(key);
  if (!known) await writeWhole(folder, vkeyPath, `${vkey}\n`, 0o644);
  const path = (origin: string, kind: string) => join(folder, `${sha256Hex(origin)}.${kind}`);
  const newest = await newestLogs(folder);
  const evidenceFolder = join(folder, 'evidence');
  await mkdir(evidenceFolder, { recursive: true });
  return {
    key,
    vkey,
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
    latest: (origin) => readIfPresent(path(origin, 'checkpoint')),
    latestByHash: (hash) => readIfPresent(join(folder, `${hash}.checkpoint`)),
    newestLog: async (service) => newest.get(service) ?? 0,
    async keep(origin, note) {
      await writeWhole(folder, path(origin, 'checkpoint'), note, 0o644);
      addLog(newest, origin);
    },
    followed: (origin) => readIfPresent(path(origin, 'entries')),
    keepFollowed: (origin, followed) => writeWhole(folder, path(origin, 'entries'), followed, 0o644),
    knownClosing: (digest) => readKnownClosing(folder, digest),
    keepClosing: (closing) => keepClosing(folder, closing),
    acceptedDigests: () => acceptedDigests(folder),
    async keepEvidence({ origin, reason, notes }) {
      const name = `${sha256Hex(JSON.stringify([origin, reason, notes])).slice(0, 32)}.json`;
      const file = join(evidenceFolder, name);
      if ((await readIfPresent(file)) !== null) return;
      const text = JSON.stringify({ at: new Date().toISOString(), origin, reason, notes }, null, 1);
      await writeWhole(evidenceFolder, file, `${text}\n`, 0o644);
      process.stderr.write(`${origin}: refused: ${reason}. The evidence is in ${file}\n`);
    },
  };
}

/** The newest cosigned log of each service. No other process writes checkpoints into the folder. */
async function newestLogs(folder: string): Promise<Map<string, number>> {
  const newest = new Map<string, number>();
  for (const name of await readdir(folder)) {
    const note = name.endsWith('.checkpoint') ? await readIfPresent(join(folder, name)) : null;
    if (note !== null) addLog(newest, note.slice(0, note.indexOf('\n')));
  }
  return newest;
}

function addLog(newest: Map<string, number>, origin: string): void {
  const parts = parseOrigin(origin);
  if (parts?.chain !== null) return;
  newest.set(parts.service, Math.max(parts.log, newest.get(parts.service) ?? 0));
}
