import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent, replaceFile } from '@countersign/auditor/state-file';
import { formatWitnessKey, type NoteKey, parseWitnessKey, type Sign } from '@countersign/proof-kit';
import { sha256Hex } from '../../lib/crypto.ts';

/** The state of a witness: its key, the newest cosigned checkpoint and the entries read of every log, and evidence. */
export interface WitnessState {
  key: NoteKey;
  vkey: string;
  sign: Sign;
  /** The newest checkpoint of a log, with the signatures of the log and of this witness; null for an unknown log. */
  latest(origin: string): Promise<string | null>;
  /** Durable once this resolves. */
  keep(origin: string, note: string): Promise<void>;
  /** The stored reading of a log's entries; null if there is none. */
  followed(origin: string): Promise<string | null>;
  keepFollowed(origin: string, followed: string): Promise<void>;
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
  const keyPath = join(folder, 'witness.key');
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
  const evidenceFolder = join(folder, 'evidence');
  await mkdir(evidenceFolder, { recursive: true });
  return {
    key,
    vkey,
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
    latest: (origin) => readIfPresent(path(origin, 'checkpoint')),
    keep: (origin, note) => writeWhole(folder, path(origin, 'checkpoint'), note, 0o644),
    followed: (origin) => readIfPresent(path(origin, 'entries')),
    keepFollowed: (origin, followed) => writeWhole(folder, path(origin, 'entries'), followed, 0o644),
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

/** Atomic even if the machine dies: the new name is synced too. */
async function writeWhole(folder: string, path: string, text: string, mode: number): Promise<void> {
  await replaceFile(path, text, mode);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
