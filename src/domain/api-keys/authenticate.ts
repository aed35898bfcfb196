import { safeEqual, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { App } from '../app.ts';
import type { Finding } from '../identity/principal-cache.ts';
import type { ApiKeyPrincipal, KeyScope } from '../principal.ts';
import { publicIdOf } from './format.ts';

const refused = () => new DomainError('UNAUTHORIZED', 'The API key is missing, wrong, expired or revoked.');

/** The principal behind a key, as the database knows it at this moment. */
export async function authenticateKey(app: App, token: string, now: Date): Promise<ApiKeyPrincipal> {
  const principal = await app.principals.find(token, now, () => loadKey(app, token, now));
  app.noteKeyUse(principal, now);
  return principal;
}

async function loadKey(app: App, token: string, now: Date): Promise<Finding<ApiKeyPrincipal>> {
  const publicId = publicIdOf(token);
  if (!publicId) throw refused();
  const key = await app.db.acrossTenants.apiKey.findUnique({ where: { publicId } });
  if (!key || !safeEqual(key.secretHash, sha256Hex(token))) throw refused();
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= now)) throw refused();
  const center = await app.db.acrossTenants.center.findUnique({ where: { id: key.centerId } });
  if (center?.status === 'SUSPENDED')
    throw new DomainError('FORBIDDEN', 'The center of this key is suspended.');
  if (center?.status !== 'ACTIVE') throw refused();
  return {
    principal: {
      kind: 'apiKey',
      keyId: key.id,
      centerId: key.centerId,
      scopes: key.scopes as KeyScope[],
      ratePerMinute: key.ratePerMinute,
    },
    goodUntil: key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    restsOn: [`key:${key.id}`, `center:${key.centerId}`],
  };
}
