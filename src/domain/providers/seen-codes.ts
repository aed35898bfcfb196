import { sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';

/** Codes live for minutes. A shorter one can be guessed, and equal ones may come by chance. */
const KEPT_MINUTES = 15;
const MIN_CODE = 16;

/**
 * Refuses a code that was first sent to another issuer. All centers share one redirect URI, so a provider that lies can have the
 * browser of a visitor authorized at an honest provider, receive the code through us, and use it for its own sign-in there
 * (mix-up). Providers that name themselves in the callback (RFC 9207) prevent this; not all do. Call it before the code is sent.
 */
export async function refuseForeignCode(ctx: Context, code: string | null, issuer: string): Promise<void> {
  if (code === null || code.length < MIN_CODE) return;
  const codeHash = sha256Hex(code);
  const db = ctx.app.db.acrossTenants;
  const expiresAt = new Date(ctx.now.getTime() + KEPT_MINUTES * 60_000);
  await db.seenCode.createMany({ data: [{ codeHash, issuer, expiresAt }], skipDuplicates: true });
  const first = await db.seenCode.findUnique({ where: { codeHash } });
  if (first?.issuer === issuer) return;
  throw new DomainError('UNAUTHORIZED', 'The code was issued for a sign-in at another identity provider.');
}
