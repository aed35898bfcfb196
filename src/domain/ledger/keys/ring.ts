import {
  type HistoricKey,
  keyNameFor,
  keysSigningAt,
  type NoteKey,
  noteSignature,
  parseVerifierKey,
  readKeyHistory,
  type Sign,
  signNote,
} from '@countersign/proof-kit';
import type { Queryable } from '../../../db/database.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';
import type { Verify, VerifyingRing } from '../notes/signatures.ts';
import { type KeyPair, openKeyPair, verifierOf } from './key-pair.ts';
import {
  completeStoredKeys,
  insertKey,
  isComplete,
  readStoredKeys,
  type StoredKeys,
  withKeyLock,
} from './store.ts';

export interface NoteSigner {
  keyId: string;
  key: NoteKey;
  sign: Sign;
}

/** The current keys of this service: those that sign, and all whose signatures are valid. */
export interface Keyring extends VerifyingRing {
  keys: HistoricKey[];
  /** The ids of the keys that are not retired, and the names for which this process can sign. */
  active: { keyIds: string[]; names: string[] };
  /** The keys that currently sign for an origin, newest first. Throws if there is none. */
  signersFor(origin: string): NoteSigner[];
}

interface Opened {
  /** The history lines that the ring was built from. Unchanged lines mean an unchanged ring. */
  text: string;
  keys: HistoricKey[];
  pairs: Map<string, KeyPair>;
  verifiers: Map<string, Verify>;
}

const rings = new WeakMap<LedgerApp, Opened>();

/**
 * The current keys; none if nothing has been signed yet. Read each time, because another process may rotate keys at any
 * moment, but unchanged lines are not verified again. Throws SigningRefused if the history is invalid.
 */
export async function readKeyring(app: LedgerApp): Promise<Keyring> {
  const stored = await readStoredKeys(app, acrossChains(app));
  const opened = await openRing(app, stored);
  if (!isComplete(stored)) await withKeyLock(app, (db) => lockedKeyring(app, db));
  return ringOf(opened);
}

/** The same for a caller that holds the lock. Also completes both copies. */
export async function lockedKeyring(app: LedgerApp, db: Queryable): Promise<Keyring> {
  const opened = await openRing(app, await completeStoredKeys(app, db));
  for (const { keyId: id, name, publicKey } of opened.keys) {
    const pair = opened.pairs.get(publicKey);
    if (pair) await insertKey(db, { id, name, publicKey, sealed: pair.sealed });
  }
  return ringOf(opened);
}

async function openRing(app: LedgerApp, { lines, sealed }: StoredKeys): Promise<Opened> {
  const text = lines.join('\n');
  const known = rings.get(app);
  if (known && known.text === text && known.pairs.size > 0) return known;
  const keys = await readKeyHistory(lines).catch((error: Error) => {
    throw new SigningRefused(error.message, { cause: error });
  });
  const pairs = new Map<string, KeyPair>();
  for (const half of sealed) {
    const pair = pairs.has(half.publicKey) ? null : openKeyPair(app.vault, half.publicKey, half.sealed);
    if (pair) pairs.set(half.publicKey, pair);
  }
  const verifiers = new Map(keys.map(({ publicKey }) => [publicKey, verifierOf(publicKey)]));
  const opened = { text, keys, pairs, verifiers };
  rings.set(app, opened);
  return opened;
}

function ringOf({ keys, pairs, verifiers }: Opened): Keyring {
  const active = keysSigningAt(keys, new Date());
  const signing = active.filter(({ publicKey }) => pairs.has(publicKey)).reverse();
  return {
    keys,
    active: { keyIds: active.map(({ keyId }) => keyId), names: signing.map(({ name }) => name) },
    signersFor(origin) {
      const name = keyNameFor(origin);
      const signers = signing
        .filter((key) => key.name === name)
        .map(({ keyId, vkey, publicKey }) => {
          return { keyId, key: parseVerifierKey(vkey), sign: pairs.get(publicKey)!.sign };
        });
      if (signers.length === 0)
        throw new SigningRefused(
          `no key of ${name} can sign: its private key is missing, or was encrypted with another ENCRYPTION_KEY`,
        );
      return signers;
    },
    verifier(origin, keyId) {
      const name = keyNameFor(origin);
      const key = keys.find((known) => known.keyId === keyId && known.name === name);
      return key && verifiers.get(key.publicKey);
    },
  };
}

/** A note signed by every active key: one, or two during a rotation. */
export async function signText(text: string, [first, ...others]: NoteSigner[]): Promise<string> {
  let note = await signNote(text, first!.key, first!.sign);
  for (const { key, sign } of others) note += await noteSignature(text, key, sign);
  return note;
}
