import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.ts';
import { sql, typed } from '../../db/sql.ts';
import { safeEqual, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Infrastructure } from '../context.ts';
import { FEATURE_ROW, featureColumns, featureJoins, featuresOffIn } from '../features/features-off.ts';
import type { Finding, PrincipalCache } from '../identity/principal-cache.ts';
import type { ApiKeyPrincipal, KeyScope } from '../principal.ts';
import { publicIdOf } from './keys.ts';

const refused = () => new DomainError('UNAUTHORIZED', 'The API key is missing, wrong, expired or revoked.');

interface KeyAuthentication extends Pick<Infrastructure, 'config' | 'db'> {
  principals: PrincipalCache;
  noteKeyUse: NoteUse;
}

/** The principal behind a key, according to the current state of the database. */
export async function authenticateKey(
  app: KeyAuthentication,
  token: string,
  now: Date,
): Promise<ApiKeyPrincipal> {
  const principal = await app.principals.find(token, now, () => loadKey(app, token, now));
  app.noteKeyUse(principal, now);
  return principal;
}

async function loadKey(app: KeyAuthentication, token: string, now: Date): Promise<Finding<ApiKeyPrincipal>> {
  const publicId = publicIdOf(token);
  if (!publicId) throw refused();
  const key = await findKey(app, publicId);
  if (!key || !safeEqual(key.secretHash, sha256Hex(token))) throw refused();
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= now)) throw refused();
  if (key.centerStatus === 'SUSPENDED')
    throw new DomainError('FORBIDDEN', 'The center of this key is suspended.');
  if (key.centerStatus !== 'ACTIVE') throw refused();
  const { id, centerId, scopes, ratePerMinute } = key;
  return {
    principal: {
      kind: 'apiKey',
      keyId: id,
      centerId,
      scopes,
      ratePerMinute,
      featuresOff: featuresOffIn(key),
    },
    goodUntil: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    restsOn: [`key:${id}`, `center:${centerId}`],
  };
}

const FIND_API_KEY = sql('find_api_key', {
  id: 'text',
  centerId: 'int',
  secretHash: 'text',
  scopes: typed<KeyScope[]>('text[]'),
  ratePerMinute: 'int?',
  expiresAt: 'timestamptz?',
  revokedAt: 'timestamptz?',
  centerStatus: 'center_status',
  ...FEATURE_ROW,
})`
  SELECT k.id, k.center_id AS "centerId", k.secret_hash AS "secretHash", k.scopes,
         k.rate_per_minute AS "ratePerMinute", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
         c.status AS "centerStatus", ${featureColumns('$enforcePlans')}
  FROM api_key k JOIN center c ON c.id = k.center_id ${featureJoins} WHERE k.public_id = $publicId`;

/** Reads the key with the state of its center in one round trip, because keys in use are looked up often. */
async function findKey(app: KeyAuthentication, publicId: string) {
  const rows = await FIND_API_KEY.rows(app.db.declared('acrossTenants'), {
    publicId,
    enforcePlans: app.config.enforcePlanFeatures,
  });
  return rows[0];
}

const MINUTE_MS = 60_000;

interface UsedKey {
  keyId: string;
  centerId: number;
}

/** Records when a key was last used, to the minute. Runs in the background; a failure is only logged. */
export type NoteUse = (key: UsedKey, now: Date) => void;

export function makeNoteUse(db: Database, log: Log): NoteUse {
  const noted = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE_MS });
  return ({ keyId, centerId }, now) => {
    if (noted.has(keyId)) return;
    noted.set(keyId, true);
    // Other processes record the same key. The condition limits this to one write per minute in total.
    db.declared([centerId])
      .query(
        `UPDATE api_key SET last_used_at = $2
         WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
        [keyId, now],
      )
      .catch((error: Error) =>
        log.warn({ reason: error.message, keyId }, 'could not record the last use of an API key'),
      );
  };
}
