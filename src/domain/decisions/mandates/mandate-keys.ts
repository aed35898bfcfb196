// Which API keys may use a mandate. Without this, a key that learns the id of another system's agent could spend its budget.
import { validationError } from '../../../lib/errors.ts';
import { usableKeys } from '../../api-keys/keys.ts';
import { type Context, currentCenterId } from '../../context.ts';

/**
 * The keys of the mandate that decision `e` grants, as JSON. Terms of earlier releases name none: such a mandate belongs to the
 * key that asked for it, and to no key if a person asked.
 */
export const MANDATE_KEYS = `coalesce(
  (e.large #> '{action.input,keys}')::jsonb,
  CASE WHEN e.by_kind = 'api_key' AND e.by_id IS NOT NULL THEN jsonb_build_array(e.by_id) ELSE '[]' END)`;

/** The keys to write into the terms: those that the request names, or the key that asks. */
export async function keysFor(ctx: Context, keys: readonly string[] | undefined): Promise<string[]> {
  const { principal } = ctx;
  if (keys === undefined) {
    if (principal.kind === 'apiKey') return [principal.keyId];
    throw validationError([
      { path: 'keys', message: 'is required: name the API keys that may use the mandate' },
    ]);
  }
  const usable = await usableKeys(ctx, keys);
  const unknown = keys.flatMap((id, i) => (usable.has(id) ? [] : [`keys.${i}`]));
  if (unknown.length === 0) return [...new Set(keys)];
  const message = 'must be an API key of the center that is neither expired nor revoked';
  throw validationError(unknown.map((path) => ({ path, message })));
}

/** An API key of a mandate, for its readers. */
export interface MandateKey {
  id: string;
  name: string;
  publicId: string;
  usable: boolean;
}

/** The keys of the center by id. */
export async function mandateKeysOf(ctx: Context, ids: readonly string[]): Promise<Map<string, MandateKey>> {
  const where = { id: { in: [...ids] }, centerId: currentCenterId(ctx) };
  const rows = await ctx.db.apiKey.findMany({
    where,
    select: { id: true, name: true, publicId: true, revokedAt: true, expiresAt: true },
  });
  return new Map(
    rows.map(({ revokedAt, expiresAt, ...key }) => {
      const usable = revokedAt === null && (expiresAt === null || expiresAt > ctx.now);
      return [key.id, { ...key, usable }];
    }),
  );
}
