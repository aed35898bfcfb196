import { z } from 'zod';
import { isUniqueViolation } from '../../db/faults.ts';
import type { Passkey } from '../../db/generated/prisma/client.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { requireFreshProof } from '../identity/fresh-proof.ts';
import { currentActor } from '../identity/me.ts';
import { requireOwnSessionOfAccount } from '../identity/reach.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { auditPasskey, mailOwner } from './audit.ts';
import { readPublicKey, supportedAlgorithms } from './public-key.ts';
import {
  CHALLENGE_MS,
  clientDataOf,
  issueChallenge,
  loadWebauthn,
  type RegistrationResponse,
  registrationResponse,
  relyingPartyOf,
  takeChallenge,
} from './webauthn.ts';

const MOST_PASSKEYS = 20;

export const finishRegistrationInput = z.object({
  name: plainText(100)
    .trim()
    .min(1)
    .describe('The name that people see, such as the device, 1 to 100 characters.'),
  response: registrationResponse.describe('The response of the browser (RegistrationResponseJSON).'),
});

/** The options that the browser needs to create a passkey for the caller. */
export async function beginPasskeyRegistration(ctx: Context) {
  const { id: rpID, name: rpName } = relyingPartyOf(ctx.app.config);
  requireOwnSessionOfAccount(ctx);
  await requireFreshProof(ctx);
  const { actorId, shownEmail, name } = currentActor(ctx);
  const passkeys = await ctx.app.db.acrossTenants.passkey.findMany({ where: { actorId, removedAt: null } });
  if (passkeys.length >= MOST_PASSKEYS) {
    throw new DomainError(
      'CONFLICT',
      `An account can have at most ${MOST_PASSKEYS} passkeys; remove one first.`,
    );
  }
  const { generateRegistrationOptions } = await loadWebauthn();
  return generateRegistrationOptions({
    rpID,
    rpName,
    userID: Uint8Array.from(Buffer.from(actorId.replaceAll('-', ''), 'hex')),
    userName: shownEmail || name,
    userDisplayName: name,
    challenge: await issueChallenge(ctx, actorId),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    // Discoverable, so that sign-in needs no user name, and always with user verification.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
    supportedAlgorithmIDs: supportedAlgorithms,
  });
}

/** Stores the passkey that the browser has created. The same commit adds it to the audit chain and notifies its owner. */
export async function finishPasskeyRegistration(
  ctx: Context,
  { name, response }: z.infer<typeof finishRegistrationInput>,
): Promise<Passkey> {
  const { actorId } = currentActor(ctx);
  requireOwnSessionOfAccount(ctx);
  await requireFreshProof(ctx);
  const made = await readRegistration(ctx, actorId, response);
  const kept = transact.acrossTenants(ctx, async (work) => {
    await requireNewKey(work, made.fingerprint);
    const passkey = await work.db.passkey.create({
      data: { id: newId('psk'), actorId, name, createdAt: ctx.now, ...made },
    });
    auditPasskey(ctx, work, passkey, 'registered');
    await mailOwner(ctx, work, passkey, 'passkey_registered');
    return passkey;
  });
  return kept.catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new DomainError('CONFLICT', 'This passkey is already registered.');
  });
}

/** One key belongs to one person: two people who share it would count as two approvers, and a removal would affect both. */
async function requireNewKey(work: Work, fingerprint: string): Promise<void> {
  await work.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${fingerprint}, 0))`;
  const there = await work.db.passkey.count({ where: { fingerprint, removedAt: null } });
  if (there > 0) throw new DomainError('CONFLICT', 'This passkey is already registered.');
}

async function readRegistration(ctx: Context, actorId: string, response: RegistrationResponse) {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(ctx.app.config);
  const { challenge, crossOrigin } = clientDataOf(response);
  if (crossOrigin || !(await takeChallenge(ctx, challenge, actorId))) throw refused();
  try {
    const { verifyRegistrationResponse } = await loadWebauthn();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...response,
        clientExtensionResults: {},
        response: {
          clientDataJSON: response.response.clientDataJSON,
          attestationObject: response.response.attestationObject,
        },
      },
      expectedChallenge: challenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: supportedAlgorithms,
    });
    if (!registrationInfo) throw refused();
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      credentialId: credential.id,
      coseKey: credential.publicKey,
      ...(await readPublicKey(credential.publicKey)),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      synced: credentialDeviceType === 'multiDevice',
    };
  } catch (error) {
    ctx.app.log.info(
      { reason: (error as Error).message, requestId: ctx.requestId },
      'a new passkey was refused',
    );
    throw refused();
  }
}

const refused = () =>
  validationError([
    { path: 'response', message: 'is not a passkey created for this service, person and challenge' },
  ]);
