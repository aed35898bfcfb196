import type { WebAuthnSignature } from '@countersign/proof-kit/decision';
import type { Db, Tx } from '../../db/database.ts';
import type { Passkey } from '../../db/generated/prisma/client.ts';
import { DomainError } from '../../lib/errors.ts';
import type { Context } from '../context.ts';
import {
  type AssertionResponse,
  CHALLENGE_MS,
  clientDataOf,
  loadWebauthn,
  relyingPartyOf,
} from './webauthn.ts';

/** The options that the browser needs for one person's passkeys to sign the challenge. */
export async function signingOptions(ctx: Context, actorId: string, challenge: Uint8Array<ArrayBuffer>) {
  const passkeys = await ctx.app.db.acrossTenants.passkey.findMany({ where: { actorId, removedAt: null } });
  if (passkeys.length === 0)
    throw new DomainError('CONFLICT', 'You have no passkey yet; register one first.');
  return optionsFor(ctx, challenge, passkeys);
}

/** The same for sign-in, where the person is not known yet and the authenticator offers its passkeys. */
export async function optionsFor(
  { app }: Context,
  challenge: Uint8Array<ArrayBuffer>,
  passkeys: Passkey[] = [],
) {
  const { generateAuthenticationOptions } = await loadWebauthn();
  return generateAuthenticationOptions({
    rpID: relyingPartyOf(app.config).id,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
  });
}

interface Assertion {
  /** The browser's response. */
  response: AssertionResponse;
  /** The challenge: 32 bytes in base64url. Null if there was none; then every response is rejected. */
  challenge: string | null;
  /** The required owner of the passkey; null if the owner is to be determined. */
  actorId: string | null;
}

interface VerifiedAssertion {
  passkey: Passkey;
  /** Everything needed to verify it again without this service. */
  signature: WebAuthnSignature;
}

/**
 * Checks that a passkey of the person has signed the challenge: for this service, on its own pages, with user verification by
 * the authenticator. A passkey with a signature counter must have advanced it, which detects copies. All failures give the
 * same error.
 */
export async function verifyAssertion(
  ctx: Context,
  db: Db | Tx,
  { response, challenge, actorId }: Assertion,
): Promise<VerifiedAssertion> {
  const passkey = await db.passkey.findUnique({ where: { credentialId: response.id } });
  try {
    if (!passkey || passkey.removedAt) throw new Error('unknown passkey');
    if (!challenge) throw new Error('there is no pending challenge, or it has expired');
    if (actorId !== null && passkey.actorId !== actorId)
      throw new Error('the passkey belongs to another person');
    const counter = await signedCount(ctx, passkey, response, challenge);
    await countOn(db, passkey, counter, ctx.now);
    return { passkey, signature: signatureOf(passkey, response) };
  } catch (error) {
    const { message: reason } = error as Error;
    ctx.app.log.warn({ reason, passkey: passkey?.id, requestId: ctx.requestId }, 'a passkey was refused');
    throw new DomainError('INVALID_CREDENTIALS', 'The passkey was not accepted.');
  }
}

/** The passkey's signature counter, once everything else is verified. */
async function signedCount(
  { app }: Context,
  passkey: Passkey,
  response: AssertionResponse,
  challenge: string,
): Promise<number> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingPartyOf(app.config);
  if (clientDataOf(response).crossOrigin) throw new Error('signed inside a page of another origin');
  const { userHandle, ...signed } = response.response;
  if (userHandle != null && userHandle !== handleOf(passkey.actorId)) throw new Error('another user handle');
  const { verifyAuthenticationResponse } = await loadWebauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {}, response: signed },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: passkey.coseKey,
      counter: Number(passkey.counter),
    },
  });
  if (!verified) throw new Error('the signature is not that of the key');
  return authenticationInfo.newCounter;
}

const handleOf = (actorId: string) => Buffer.from(actorId.replaceAll('-', ''), 'hex').toString('base64url');

/** Of two responses with the same counter, even concurrent ones, only the first is accepted. */
async function countOn(db: Db | Tx, { id }: Passkey, counter: number, now: Date): Promise<void> {
  const { count } = await db.passkey.updateMany({
    where: { id, removedAt: null, ...(counter === 0 ? { counter: 0 } : { counter: { lt: counter } }) },
    data: { counter, lastUsedAt: now },
  });
  if (count === 0) throw new Error('the signature counter did not advance');
}

function signatureOf({ publicKey }: Passkey, { id, response }: AssertionResponse): WebAuthnSignature {
  return {
    type: 'webauthn',
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    authenticatorData: response.authenticatorData,
    clientDataJSON: response.clientDataJSON,
    signature: response.signature,
  };
}
