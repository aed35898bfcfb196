import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../../lib/crypto.ts';
import { formatWitnessKey, type NoteKey, parseWitnessKey, type Sign } from '../../proof-kit/index.ts';

/** What a witness keeps: its key, and of every log the newest checkpoint it has cosigned. */
export interface WitnessState {
  key: NoteKey;
  vkey: string;
  sign: Sign;
  /** The newest checkpoint of a log, with the signatures of the log and of this witness; null for one never seen. */
  latest(origin: string): Promise<string | null>;
  /** On the disk for good once this resolves. */
  keep(origin: string, note: string): Promise<void>;
}

const RAW_BYTES = 32;

export async function openWitnessState(folder: string, name: string | undefined): Promise<WitnessState> {
  await mkdir(folder, { recursive: true });
  const keyPath = join(folder, 'witness.key');
  const vkeyPath = join(folder, 'witness.vkey');
  let pem = await readOrNull(keyPath);
  if (pem === null) {
    const { privateKey } = generateKeyPairSync('ed25519');
    pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeWhole(folder, keyPath, pem, 0o600);
  }
  const privateKey = createPrivateKey(pem);
  const publicKey = new Uint8Array(
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES),
  );
  const known = await readOrNull(vkeyPath);
  const key = known
    ? parseWitnessKey(known.trim())
    : { name: name ?? `witness-${sha256Hex(publicKey).slice(0, 8)}`, publicKey };
  if (Buffer.compare(key.publicKey, publicKey) !== 0)
    throw new Error(`${vkeyPath} does not belong to the key beside it`);
  if (known && name !== undefined && name !== key.name)
    throw new Error(`this witness is called ${key.name}: a name is given once`);
  const vkey = formatWitnessKey(key);
  if (!known) await writeWhole(folder, vkeyPath, `${vkey}\n`, 0o644);
  const path = (origin: string) => join(folder, `${sha256Hex(origin)}.checkpoint`);
  return {
    key,
    vkey,
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
    latest: (origin) => readOrNull(path(origin)),
    keep: (origin, note) => writeWhole(folder, path(origin), note, 0o644),
  };
}

/** All of it or nothing, at whatever point the process or the machine dies: written apart, made durable, put in place. */
async function writeWhole(folder: string, path: string, text: string, mode: number): Promise<void> {
  const apart = `${path}.${randomBytes(6).toString('hex')}.new`;
  const file = await open(apart, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(apart, path);
  const directory = await open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readOrNull(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
