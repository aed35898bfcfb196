// The end of a sign-in at the provider of a center, from its verified claims to a session.

import type { Tx } from '../../db/database.ts';
import type { IdentityProvider } from '../../db/generated/prisma/client.ts';
import type { ActorRole } from '../../db/generated/prisma/enums.ts';
import { DomainError, type ErrorCode } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import { openProviderSession } from '../identity/open-session.ts';
import type { SignedIn } from '../identity/sessions.ts';
import { lockCenter } from '../memberships/seats.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { type Admission, type Admitted, admit, type ProviderSignIn } from './admit.ts';
import { type ProviderClaims, readClaims, requireClaims } from './claims.ts';
import { type ProviderSettings, providerSettings } from './settings.ts';
import { keepWaiting } from './waiting.ts';

export type SignInResult =
  | { kind: 'signed-in'; signedIn: SignedIn }
  /** The person must prove that a profile is theirs: in this browser, with the secret in its cookie. */
  | { kind: 'connect'; secret: string };

/** Signs in the person of a verified subject, or keeps the identity until the person has proven that a profile is theirs. */
export function signInWithIdentity(
  ctx: Context,
  provider: IdentityProvider,
  claims: ProviderClaims,
  next: string | null,
): Promise<SignInResult> {
  return transact.acrossTenants(ctx, async (work) => {
    const settings = await lockProvider(work.db, provider);
    const signIn = readSignIn(settings, claims);
    const admission = await admit(ctx, work, signIn);
    if (admission.kind === 'admitted') {
      return { kind: 'signed-in', signedIn: await openAdmitted(ctx, work, signIn, admission) };
    }
    const { membership, matchedBy } = admission;
    return {
      kind: 'connect',
      secret: await keepWaiting(ctx, work, { settings, claims, membership, matchedBy, next }),
    };
  });
}

/**
 * Locks the center and reads its provider again, so that nothing is decided by settings that have been replaced since the
 * sign-in began.
 */
export async function lockProvider(
  db: Tx,
  { centerId, issuer, clientId }: Pick<IdentityProvider, 'centerId' | 'issuer' | 'clientId'>,
): Promise<ProviderSettings> {
  await lockCenter(db, centerId);
  const center = await db.center.findUnique({ where: { id: centerId }, include: { identityProvider: true } });
  if (!center || center.status === 'INACTIVE') throw new DomainError('CENTER_NOT_FOUND', 'Center not found.');
  if (center.status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  const row = center.identityProvider;
  if (!row) throw new DomainError('CENTER_NOT_FOUND', 'This center has no identity provider.');
  if (row.issuer !== issuer || row.clientId !== clientId) {
    throw new DomainError(
      'UNAUTHORIZED',
      'The identity provider was changed during the sign-in; sign in again.',
    );
  }
  return providerSettings(row);
}

export function readSignIn(settings: ProviderSettings, claims: ProviderClaims): ProviderSignIn {
  if (claims.issuer !== settings.issuer) {
    throw new DomainError('UNAUTHORIZED', 'The claims are not from the provider of this center.');
  }
  const facts = readClaims(settings, claims);
  requireClaims(settings, claims);
  return { settings, facts };
}

/** Opens the session of an admitted person. */
export async function openAdmitted(
  ctx: Context,
  work: Work,
  { settings, facts }: ProviderSignIn,
  { identity, actor }: Admitted,
): Promise<SignedIn> {
  await work.db.identity.update({ where: { id: identity.id }, data: { lastSignInAt: ctx.now } });
  return openProviderSession(ctx, work, actor, {
    identity,
    provider: settings,
    sid: facts.sid,
    // Signing in there is the proof. A provider that reused an earlier sign-in says when that was.
    provenAt: facts.authTime !== null && facts.authTime < ctx.now ? facts.authTime : ctx.now,
  });
}

/** What a sign-in with these claims would lead to. */
export interface SignInPreview {
  code: ErrorCode | null;
  /** Why it would fail. */
  reason: string | null;
  role: ActorRole | null;
  person: { membershipId: string | null; name: string; action: Admitted['action'] | 'CONNECT' } | null;
}

/** Ends the transaction of a preview, so that nothing of it remains. */
class Rollback extends Error {
  readonly admission: Admission;

  constructor(admission: Admission) {
    super('a preview writes nothing');
    this.admission = admission;
  }
}

/** Runs the sign-in without its end, and undoes it: a test of a provider decides exactly as a sign-in does. */
export async function previewSignIn(
  ctx: Context,
  settings: ProviderSettings,
  claims: ProviderClaims,
): Promise<SignInPreview> {
  try {
    await transact.acrossTenants(ctx, async (work) => {
      await lockCenter(work.db, settings.centerId);
      throw new Rollback(await admit(ctx, work, readSignIn(settings, claims)));
    });
  } catch (error) {
    if (error instanceof Rollback) return previewOf(error.admission);
    if (!(error instanceof DomainError)) throw error;
    return { code: error.code, reason: error.message, role: null, person: null };
  }
  throw new Error('a preview must roll back');
}

function previewOf(admission: Admission): SignInPreview {
  const { membership } = admission;
  const action = admission.kind === 'connect' ? 'CONNECT' : admission.action;
  const { name } = admission.kind === 'connect' ? admission.membership.actor : admission.actor;
  const membershipId = action === 'CREATE' ? null : membership.id;
  return {
    code: null,
    reason: null,
    role: admission.kind === 'connect' ? admission.role : membership.role,
    person: { membershipId, name, action },
  };
}
