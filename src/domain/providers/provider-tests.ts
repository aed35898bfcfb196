import { z } from 'zod';
import type { Prisma, Tx } from '../../db/database.ts';
import type { ProviderTest } from '../../db/generated/prisma/client.ts';
import { ActorRole } from '../../db/generated/prisma/enums.ts';
import { type ErrorCode, errorCodes, requireFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { withoutUnstorable } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import type { ProviderClaims } from '../identities/claims.ts';
import { previewSignIn } from '../identities/complete-sign-in.ts';
import { providerSettings } from '../identities/settings.ts';
import { issueTicket } from '../identities/tickets.ts';
import { currentActor } from '../identity/me.ts';
import { transact } from '../unit-of-work.ts';
import { checkedInput, openClientSecret, type SecretSettings } from './checked-settings.ts';
import { openTested, sealTested } from './open-provider.ts';
import type { IdentityProviderInput } from './provider-input.ts';

const KEPT_MINUTES = 60;
const MAX_CLAIMS_BYTES = 32_768;

const testResult = z.object({
  status: z.enum(['SUCCEEDED', 'FAILED']),
  code: z.enum(errorCodes).nullable(),
  reason: z.string().nullable(),
  claims: z.record(z.string(), z.unknown()).nullable(),
  role: z.enum(ActorRole).nullable(),
  person: z
    .object({
      membershipId: z.string().nullable(),
      name: z.string(),
      action: z.enum(['SIGN_IN', 'BIND', 'CONNECT', 'ACCEPT', 'CREATE']),
    })
    .nullable(),
});

type TestResult = z.infer<typeof testResult>;

export interface ProviderTestView extends Omit<TestResult, 'status'> {
  id: string;
  status: TestResult['status'] | 'WAITING' | 'EXPIRED';
  expiresAt: Date;
}

/** Begins a test of settings, saved or not. The caller signs in at the provider; nothing is created. */
export async function testIdentityProvider(
  ctx: Context,
  input: IdentityProviderInput,
): Promise<{ id: string; url: string }> {
  const tested = await checkedInput(ctx, input);
  const centerId = currentCenterId(ctx);
  const { actorId } = currentActor(ctx);
  const id = newId('ptt');
  const expiresAt = new Date(ctx.now.getTime() + KEPT_MINUTES * 60_000);
  return transact.acrossTenants(ctx, async (work) => {
    const { issuer } = tested.settings;
    const settings = sealTested(ctx, id, tested);
    await work.db.providerTest.create({
      data: { id, centerId, actorId, issuer, settings, createdAt: ctx.now, expiresAt },
    });
    return { id, url: await issueTicket(ctx, work, { purpose: 'TEST', centerId, testId: id }) };
  });
}

const FLOW_AND_TICKET_MS = 15 * 60_000;
const NOTHING = { code: null, reason: null, claims: null, role: null, person: null };

export async function findProviderTest(ctx: Context, id: string): Promise<ProviderTestView> {
  const row = await ctx.db.providerTest.findUnique({ where: { id } });
  const { result, createdAt, expiresAt } = requireFound(row, 'Test not found.');
  if (result !== null) return { id, expiresAt, ...testResult.parse(result) };
  const isLate = ctx.now.getTime() - createdAt.getTime() > FLOW_AND_TICKET_MS;
  return { id, expiresAt, status: isLate ? 'EXPIRED' : 'WAITING', ...NOTHING };
}

/** Keeps what a sign-in with the tested settings would have led to. */
export async function completeTest(
  ctx: Context,
  testId: string,
  { settings, clientSecret }: SecretSettings,
  claims: ProviderClaims,
): Promise<void> {
  const preview = await previewSignIn(ctx, settings, claims);
  const status = preview.code === null ? 'SUCCEEDED' : 'FAILED';
  await keepResult(ctx, testId, { status, ...preview, claims: shownClaims(claims.all) });
  if (status === 'FAILED') return;
  const db = ctx.app.db.acrossTenants;
  const saved = await db.identityProvider.findUnique({ where: { centerId: settings.centerId } });
  if (!saved) return;
  const stored = { settings: providerSettings(saved), clientSecret: openClientSecret(ctx, saved) };
  if (testedPart(stored) !== testedPart({ settings, clientSecret })) return;
  await db.identityProvider.updateMany({
    where: { centerId: saved.centerId, updatedAt: saved.updatedAt },
    data: { testedAt: ctx.now, updatedAt: saved.updatedAt },
  });
}

/** Keeps why a test failed before there were claims. */
export const failTest = (
  ctx: Context,
  testId: string,
  { code, message }: { code: ErrorCode; message: string },
): Promise<void> => keepResult(ctx, testId, { ...NOTHING, status: 'FAILED', code, reason: message });

async function keepResult({ app, now }: Context, id: string, result: TestResult): Promise<void> {
  await app.db.acrossTenants.providerTest.updateMany({
    where: { id, expiresAt: { gt: now } },
    data: { result: withoutUnstorable(result) as Prisma.InputJsonObject },
  });
}

/** The claims as the test shows them, without those that are too long to be read. */
function shownClaims(all: Record<string, unknown>): Record<string, unknown> {
  let room = MAX_CLAIMS_BYTES;
  const shown = Object.entries(all).filter(([name, value]) => {
    room -= Buffer.byteLength(JSON.stringify([name, value]));
    return room >= 0;
  });
  return Object.fromEntries(shown);
}

/** What a test depends on. */
const TESTED = [
  ...['issuer', 'clientId', 'scopes', 'groupsClaim', 'roleByGroup', 'defaultRole'],
  ...['requiredClaims', 'externalIdClaim', 'createOnSignIn'],
] as const;

const testedPart = ({ settings, clientSecret }: SecretSettings) =>
  JSON.stringify([clientSecret, ...TESTED.map((name) => settings[name as keyof typeof settings])]);

/** When a test of these settings last succeeded, if it did within the last hour. */
export async function lastTest(ctx: Context, db: Tx, tested: SecretSettings): Promise<Date | null> {
  const { centerId, issuer } = tested.settings;
  const recent: ProviderTest[] = await db.providerTest.findMany({
    where: { centerId, issuer, expiresAt: { gt: ctx.now } },
    orderBy: { id: 'desc' },
    take: 20,
  });
  const same = recent.find(
    (test) =>
      testResult.safeParse(test.result).data?.status === 'SUCCEEDED' &&
      testedPart(openTested(ctx, test)) === testedPart(tested),
  );
  return same?.createdAt ?? null;
}
