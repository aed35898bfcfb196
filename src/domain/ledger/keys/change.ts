import {
  formatVerifierKey,
  type HistoricKey,
  type KeyStatement,
  keysSigningAt,
  noteKeyId,
  type Sign,
  signKeyStatement,
} from '@countersign/proof-kit';
import type { PoolClient } from '../../../db/database.ts';
import { DomainError, validationError } from '../../../lib/errors.ts';
import { appendJournal } from '../chains/journal.ts';
import type { LedgerApp } from '../ledger-app.ts';
import { SigningRefused } from '../notes/faults.ts';
import { type KeyPair, makeKeyPair } from './key-pair.ts';
import { type Keyring, lockedKeyring, type NoteSigner, readKeyring } from './ring.ts';
import {
  appendHistory,
  appendSealed,
  hasSigned,
  insertHistory,
  insertKey,
  readStoredKeys,
  withKeyLock,
} from './store.ts';

const DAY_MS = 86_400_000;

/** The keyring with a key for the service's name. The first key is created here, once for all processes. */
export async function openKeyring(app: LedgerApp, service: string): Promise<Keyring> {
  const ring = await readKeyring(app);
  if (ring.keys.some(({ name }) => name === service)) return ring;
  return withKeyLock(app, async (db) => {
    const locked = await lockedKeyring(app, db);
    if (locked.keys.length === 0) await addFirstKey(app, db, service);
    else if (!locked.keys.some(({ name }) => name === service)) await addName(app, db, service, locked);
    return lockedKeyring(app, db);
  });
}

async function addFirstKey(app: LedgerApp, db: PoolClient, service: string): Promise<void> {
  if (await hasSigned(db))
    throw new SigningRefused('the key history is gone, although checkpoints were signed before');
  const pair = makeKeyPair(app.vault);
  const keyId = await keepPair(app, db, service, pair);
  await addLine(app, db, statementFor(service, pair.publicKey, keyId), pair.sign);
  app.log.info({ service, keyId }, 'created the first signing key');
}

/** The service has moved to another address: the same key continues under the new name and signs for itself. */
async function addName(app: LedgerApp, db: PoolClient, service: string, ring: Keyring): Promise<void> {
  const { signer, key } = newestSigner(ring);
  const keyId = noteKeyId({ name: service, publicKey: signer.key.publicKey });
  await addLine(app, db, statementFor(service, key.publicKey, signer.keyId), signer.sign);
  app.log.info({ service, keyId, before: key.name }, 'renamed the signing key');
}

/** Changes the keys under their lock, and returns those after the change. */
function changeKeys(
  app: LedgerApp,
  change: (db: PoolClient, ring: Keyring) => Promise<void>,
): Promise<HistoricKey[]> {
  return withKeyLock(app, async (db) => {
    await change(db, await lockedKeyring(app, db));
    return (await lockedKeyring(app, db)).keys;
  });
}

/** Creates a new key for every name in use, signed by its predecessor. Both sign until the overlap ends. */
export async function rotateKeys(app: LedgerApp, overlapDays: number): Promise<HistoricKey[]> {
  return changeKeys(app, async (db, ring) => {
    const pair = makeKeyPair(app.vault);
    // One timestamp for both lines, so that a key is active at every moment.
    const at = new Date();
    const until = new Date(at.getTime() + overlapDays * DAY_MS);
    for (const key of signingKeys(ring)) {
      if (key.until !== null) continue;
      const before = signerOf(ring, key);
      const keyId = await keepPair(app, db, key.name, pair);
      await addLine(app, db, statementFor(key.name, pair.publicKey, before.keyId, at), before.sign);
      const retired = { at: until.toISOString(), event: 'retired' as const, vkey: key.vkey, signedBy: keyId };
      await addLine(app, db, retired, pair.sign);
    }
  });
}

/** Revokes a key immediately. Another active key must exist. */
export async function retireKey(app: LedgerApp, keyId: string): Promise<HistoricKey[]> {
  return changeKeys(app, async (db, ring) => {
    const key = ring.keys.find((known) => known.keyId === keyId);
    if (!key) throw new DomainError('NOT_FOUND', `Key ${keyId} not found.`);
    const at = new Date().toISOString();
    if (key.until !== null && key.until <= at)
      throw new DomainError('CONFLICT', `Key ${keyId} is already retired, from ${key.until} on.`);
    const other = signingKeys(ring).find(({ name, until, keyId: id }) => {
      return name === key.name && until === null && id !== keyId;
    });
    if (!other) throw new DomainError('CONFLICT', 'This is the only active key; rotate first.');
    const signer = signerOf(ring, other);
    await addLine(app, db, { at, event: 'retired', vkey: key.vkey, signedBy: signer.keyId }, signer.sign);
  });
}

/**
 * Replaces a lost key. No key can sign for the new one, so verifiers must learn of it through a channel other than this
 * service.
 */
export async function replaceLostKey(
  app: LedgerApp,
  service: string,
  reason: string,
): Promise<HistoricKey[]> {
  if (reason.trim() === '') throw validationError([{ path: 'reason', message: 'is required' }]);
  return changeKeys(app, async (db, ring) => {
    if (ring.keys.some((key) => canSign(ring, key)))
      throw new DomainError(
        'CONFLICT',
        'A key can still sign; use rotate, so that it signs for its successor.',
      );
    const pair = makeKeyPair(app.vault);
    const keyId = await keepPair(app, db, service, pair);
    const others = new Set(ring.keys.filter(({ until }) => until === null).map(({ name }) => name));
    others.delete(service);
    await addLine(app, db, statementFor(service, pair.publicKey, null), pair.sign, reason);
    // Chains keep the names of earlier addresses, so the new key signs under these names too.
    for (const name of others) await addLine(app, db, statementFor(name, pair.publicKey, keyId), pair.sign);
    app.log.warn({ service, reason }, 'replaced a lost signing key');
  });
}

function statementFor(
  name: string,
  publicKey: string,
  signedBy: string | null,
  at = new Date(),
): KeyStatement {
  const vkey = formatVerifierKey({ name, publicKey: Buffer.from(publicKey, 'base64') });
  return { at: at.toISOString(), event: 'added', vkey, signedBy };
}

/** Stores a key pair in both places before the history mentions it. */
async function keepPair(app: LedgerApp, db: PoolClient, name: string, pair: KeyPair): Promise<string> {
  const { publicKey, sealed } = pair;
  const id = noteKeyId({ name, publicKey: Buffer.from(publicKey, 'base64') });
  await insertKey(db, { id, name, publicKey, sealed });
  await appendSealed(app.config.dataDir, [{ publicKey, sealed }]);
  return id;
}

/** The file is written first, so the database can only lag behind it. The change is also recorded on the platform's journal. */
async function addLine(
  app: LedgerApp,
  db: PoolClient,
  statement: KeyStatement,
  sign: Sign,
  reason?: string,
): Promise<void> {
  const { lines } = await readStoredKeys(app, db);
  const line = await signKeyStatement(statement, sign);
  await appendHistory(app.config.dataDir, [line]);
  await insertHistory(db, [...lines, line], lines.length);
  const content = { kind: 'key' as const, ...statement, ...(reason !== undefined && { reason }) };
  await appendJournal(db, [{ centerId: null, content }], new Date());
}

const signingKeys = (ring: Keyring) => keysSigningAt(ring.keys, new Date());

function signerOf(ring: Keyring, { name, keyId }: HistoricKey): NoteSigner {
  const signer = ring.signersFor(name).find((candidate) => candidate.keyId === keyId);
  if (!signer) throw new SigningRefused(`the private key of ${keyId} cannot be decrypted`);
  return signer;
}

function canSign(ring: Keyring, key: HistoricKey): boolean {
  try {
    return signerOf(ring, key) !== undefined;
  } catch {
    return false;
  }
}

function newestSigner(ring: Keyring): { signer: NoteSigner; key: HistoricKey } {
  const key = signingKeys(ring)
    .reverse()
    .find((candidate) => candidate.until === null && canSign(ring, candidate));
  if (!key) throw new SigningRefused('no key of the history can sign for another name');
  return { signer: signerOf(ring, key), key };
}
