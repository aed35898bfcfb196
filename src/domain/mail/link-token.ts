import type { Tx } from '../../db/database.ts';
import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import { DomainError } from '../../lib/errors.ts';

const HOUR_MS = 3_600_000;
export const INVITATION_DAYS = 7;
export const PASSWORD_LINK_HOURS = 1;

/** What a link does. */
type LinkFor =
  | { purpose: 'INVITATION'; membershipId: string }
  | { purpose: 'ROLE'; membershipId: string }
  | { purpose: 'PASSWORD'; actorId: string };

/** The page of each kind of link. */
const pages: Record<LinkFor['purpose'], string> = {
  INVITATION: 'invitation',
  ROLE: 'role-change',
  PASSWORD: 'reset',
};

/** Creates a link's token. It is returned only here; the database stores its hash. */
export async function makeLinkToken(tx: Tx, link: LinkFor, now: Date): Promise<string> {
  const token = randomToken();
  const hours = link.purpose === 'PASSWORD' ? PASSWORD_LINK_HOURS : INVITATION_DAYS * 24;
  const expiresAt = new Date(now.getTime() + hours * HOUR_MS);
  await tx.linkToken.create({ data: { tokenHash: sha256Hex(token), ...link, createdAt: now, expiresAt } });
  return token;
}

/** A link to set a password must not override a later password change. */
export async function endPasswordLinks(tx: Tx, actorId: string): Promise<void> {
  await tx.linkToken.deleteMany({ where: { actorId, purpose: 'PASSWORD' } });
}

/** The URL of a link. The token is in the fragment, which browsers do not send to servers. */
export function linkTo(publicUrl: string, { purpose }: LinkFor, token: string): string {
  return `${publicUrl}/${pages[purpose]}#${token}`;
}

export const linkExpired = () =>
  new DomainError('UNAUTHORIZED', 'This link is invalid, was already used, or has expired.');
