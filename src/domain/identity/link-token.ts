import type { Tx } from '../../db/database.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';

const HOUR_MS = 3_600_000;
export const INVITATION_DAYS = 7;
export const PASSWORD_LINK_HOURS = 1;

/** What a link does for whoever brings its token. */
export type LinkFor =
  | { purpose: 'INVITATION'; membershipId: string }
  | { purpose: 'PASSWORD'; actorId: string };

/** Makes the secret of a link. It leaves this function in the answer alone; the database keeps its hash. */
export async function makeLinkToken(tx: Tx, link: LinkFor, now: Date): Promise<string> {
  const token = randomToken();
  const hours = link.purpose === 'INVITATION' ? INVITATION_DAYS * 24 : PASSWORD_LINK_HOURS;
  const expiresAt = new Date(now.getTime() + hours * HOUR_MS);
  await tx.linkToken.create({ data: { tokenHash: sha256Hex(token), ...link, createdAt: now, expiresAt } });
  return token;
}

/** Where a link leads. The token stands behind the #, which no browser sends to any server. */
export function linkTo(publicUrl: string, { purpose }: LinkFor, token: string): string {
  return `${publicUrl}/${purpose === 'INVITATION' ? 'invitation' : 'reset'}#${token}`;
}

export const deadLink = () =>
  new DomainError('UNAUTHORIZED', 'This link is wrong, was used before, or has expired.');
