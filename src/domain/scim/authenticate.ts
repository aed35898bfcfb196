import { sql } from '../../db/sql.ts';
import { safeEqual, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Infrastructure } from '../context.ts';
import type { Principal } from '../principal.ts';
import { SCIM_TOKEN } from './tokens.ts';

const MINUTE_MS = 60_000;

const refused = () =>
  new DomainError('UNAUTHORIZED', 'The SCIM token is missing, wrong, expired or revoked.');

const FIND_TOKEN = sql('find_scim_token', {
  id: 'text',
  centerId: 'int',
  secretHash: 'text',
  expiresAt: 'timestamptz?',
  revokedAt: 'timestamptz?',
  lastUsedAt: 'timestamptz?',
  centerStatus: 'center_status',
})`
  SELECT t.id, t.center_id AS "centerId", t.secret_hash AS "secretHash", t.expires_at AS "expiresAt",
    t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt", c.status AS "centerStatus"
  FROM scim_token t JOIN center c ON c.id = t.center_id WHERE t.public_id = $publicId`;

/**
 * The principal behind a SCIM token. It is read from the database for each call: a directory calls far less often than keys do, and
 * a revoked token stops working at once.
 */
export async function authenticateScimToken(
  { db }: Pick<Infrastructure, 'db'>,
  plaintext: string,
  now: Date,
): Promise<Extract<Principal, { kind: 'system' }> & { tokenId: string; centerId: number }> {
  const publicId = SCIM_TOKEN.publicIdOf(plaintext);
  if (publicId === null) throw refused();
  const [token] = await FIND_TOKEN.rows(db.declared('acrossTenants'), { publicId });
  if (!token || !safeEqual(token.secretHash, sha256Hex(plaintext))) throw refused();
  if (token.revokedAt || (token.expiresAt && token.expiresAt <= now)) throw refused();
  const { id, centerId, centerStatus, lastUsedAt } = token;
  if (centerStatus === 'SUSPENDED')
    throw new DomainError('FORBIDDEN', 'The center of this SCIM token is suspended.');
  if (centerStatus !== 'ACTIVE') throw refused();
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS) {
    await db.forCenter(centerId).scimToken.updateMany({ where: { id }, data: { lastUsedAt: now } });
  }
  return { kind: 'system', name: id, centerId, tokenId: id };
}
