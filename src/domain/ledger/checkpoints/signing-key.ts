import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PoolClient } from '../../../db/database.ts';
import { noteKeyId, serviceName } from '../../../proof-kit/index.ts';
import type { App } from '../../app.ts';
import type { Queryable } from './tree-store.ts';

/** A public key of this service, as it is kept. */
export interface ServiceKey {
  id: string;
  name: string;
  /** The 32 bytes in base64. */
  publicKey: string;
  createdAt: Date;
}

export interface Signer extends ServiceKey {
  sign(bytes: Uint8Array): Uint8Array;
}

interface KeyRow extends ServiceKey {
  privateKey: string;
}

/** Any number will do, as long as nobody else locks it: "cssigner" in ASCII. */
const LOCK = BigInt('0x63737369676e6572').toString();
const RAW_PUBLIC_KEY_BYTES = 32;
const SELECT_KEYS = `
  SELECT id, name, public_key AS "publicKey", private_key AS "privateKey", created_at AS "createdAt"
  FROM signing_key ORDER BY created_at DESC, id`;

const belongsTo = (publicKey: string) => `signing_key:${publicKey}`;

/** Every key that ever signed, newest first: old checkpoints stay checkable. */
export async function serviceKeys(db: Queryable): Promise<ServiceKey[]> {
  const { rows } = await db.query<ServiceKey>(
    'SELECT id, name, public_key AS "publicKey", created_at AS "createdAt" FROM signing_key ORDER BY created_at DESC, id',
  );
  return rows;
}

/** The same for publication: there is always at least one. */
export async function publishedKeys(app: App): Promise<ServiceKey[]> {
  const keys = await serviceKeys(app.db.pool);
  if (keys.length > 0) return keys;
  await currentSigner(app);
  return serviceKeys(app.db.pool);
}

/**
 * The newest key whose private half opens with this service's secret; made on first need, once for all processes.
 * After a change of the secret that is a new key, and the old one remains published for what it signed.
 */
export async function currentSigner(app: App): Promise<Signer> {
  return (await newestOpening(app, app.db.pool)) ?? (await makeOnce(app));
}

async function newestOpening(app: App, db: Queryable): Promise<Signer | undefined> {
  const { rows } = await db.query<KeyRow>(SELECT_KEYS);
  for (const { privateKey, ...key } of rows) {
    const opened = openPrivateKey(app, key.publicKey, privateKey);
    if (opened) return { ...key, sign: (bytes) => new Uint8Array(sign(null, bytes, opened)) };
  }
  return undefined;
}

function openPrivateKey(app: App, publicKey: string, sealed: string): KeyObject | null {
  let secret: string;
  try {
    secret = app.vault.open(sealed, belongsTo(publicKey));
  } catch {
    return null;
  }
  return createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' });
}

async function makeOnce(app: App): Promise<Signer> {
  const client = await app.db.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    // Looked at again: whoever held the lock before has made it.
    if (!(await newestOpening(app, client))) await insertNewKey(client, app);
    const signer = (await newestOpening(app, client))!;
    await client.query('COMMIT');
    return signer;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function insertNewKey(client: PoolClient, app: App): Promise<void> {
  const pair = generateKeyPairSync('ed25519');
  const raw = createPublicKey(pair.privateKey)
    .export({ format: 'der', type: 'spki' })
    .subarray(-RAW_PUBLIC_KEY_BYTES);
  const publicKey = raw.toString('base64');
  const secret = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const name = serviceName(app.config.publicUrl);
  await client.query('INSERT INTO signing_key (id, name, public_key, private_key) VALUES ($1, $2, $3, $4)', [
    noteKeyId({ name, publicKey: raw }),
    name,
    publicKey,
    app.vault.seal(secret, belongsTo(publicKey)),
  ]);
  app.log.info({ name, publicKey }, 'made a key for signing checkpoints');
}
