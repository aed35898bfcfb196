import { ERASABLE_PATHS } from '@countersign/proof-kit';
import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import type { Center } from '../../db/generated/prisma/client.ts';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { syncEmailDomains } from '../email-domains/rows.ts';
import { beginPolicyChange } from '../ledger/sealer/policy-order.ts';
import { lockCenter } from '../memberships/seats.ts';
import { type CenterLocation, checkLeaving } from '../policies/leaving.ts';
import { principalName } from '../principal.ts';
import { transact } from '../unit-of-work.ts';
import { actionTypesInput } from './action-types.ts';
import { isSafeAddress } from './branding.ts';
import { requireFeatureIn } from './center-features.ts';
import { timeZoneField } from './settings.ts';
import { type CenterView, centerView, settingsOf } from './view.ts';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const safeAddress = z
  .string()
  .max(2_048)
  .refine((value) => value === '' || isSafeAddress(value), 'must be an https or relative address');

/** Members that a public proof can disclose in addition to public ones; `content` is that of a platform record. */
export const publicPaths = [...ERASABLE_PATHS, 'outcome.by.id', 'content'];

/** What an ADMIN may change in the center. Absent fields stay; null removes a setting. */
export const updateCenterInput = z.object({
  name: plainText(256).trim().min(1).optional().describe('The name that people see, 1 to 256 characters.'),
  description: plainText(2_000)
    .trim()
    .optional()
    .describe('What the center says about itself in public, at most 2,000 characters.'),
  logo: safeAddress
    .optional()
    .describe('The logo: an https or relative URL of at most 2,048 characters; empty for none.'),
  timezone: timeZoneField
    .optional()
    .describe('The IANA time zone of the calendar, such as `Europe/Berlin`. Default: UTC.'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters (ISO 3166)')
    .nullable()
    .optional()
    .describe(
      'The country (ISO 3166, two letters) for policies; null removes it. Only a platform admin can move a center out of the scope of an enforcing policy.',
    ),
  region: plainText(64)
    .trim()
    .min(1)
    .nullable()
    .optional()
    .describe('The region for policies; null removes it. The same restriction as for the country applies.'),
  emailDomains: z
    .array(z.string().trim().toLowerCase().regex(DOMAIN, 'must be a domain such as example.org'))
    .max(20)
    .optional()
    .describe(
      'At most 20 email domains whose users land in this center after signing in. `verifyEmailDomain` verifies them.',
    ),
  erasureNeedsTwo: z
    .boolean()
    .optional()
    .describe(
      'Whether a second ADMIN must confirm erasures. Switching it off takes two as well: the call of one ADMIN asks for it, the same call of another one does it.',
    ),
  guardianBooking: z
    .boolean()
    .optional()
    .describe('Whether PARENTs can book and cancel for themselves and their children. Default: true.'),
  actionTypes: actionTypesInput
    .optional()
    .describe(
      'How decisions of each action type are described to people, at most 100 types; replaces the whole list.',
    ),
  proof: z
    .object({
      enabled: z.boolean().optional().describe("Whether `/verify/…` shows the center's records at all."),
      disclose: z
        .array(z.enum(publicPaths, `must be one of ${publicPaths.join(', ')}`))
        .optional()
        .describe(`What is shown beside what is sealed in the open: any of ${publicPaths.join(', ')}.`),
    })
    .optional()
    .describe('What the public proof pages show; see `ProofPageInput`.'),
});

export type UpdateCenterInput = z.infer<typeof updateCenterInput>;

/** Changes the caller's center and records the previous values. */
export async function updateCenter(ctx: Context, input: UpdateCenterInput): Promise<CenterView> {
  const id = currentCenterId(ctx);
  if (input.proof) await requireFeatureIn(ctx, id, 'proofPage');
  const center = await transact(ctx, async (work) => {
    const moves = input.country !== undefined || input.region !== undefined;
    // Other policies may apply at the new location, so a move is ordered with respect to the center's seals.
    const at = moves ? await beginPolicyChange(work.db, id, ctx.now) : ctx.now;
    work.notBefore(at);
    await lockCenter(work.db, id);
    const before = await work.db.center.findUniqueOrThrow({ where: { id } });
    const { from, to, data } = changes(before, switchedByTwo(ctx, before, input));
    if (Object.keys(to).length === 0) return before;
    await checkLeaving(ctx, work.db, whereabouts(before), whereabouts(data));
    work.audit({ type: 'center.updated', target: String(id), detail: { from, to } });
    if ('emailDomains' in to) await syncEmailDomains(work.db, id, data.settings);
    return work.db.center.update({ where: { id }, data: { ...data, updatedAt: at } });
  });
  return centerView(ctx.app.db.pool, center);
}

/**
 * One ADMIN must not be able to turn off two-person erasure, erase, and turn it on again. So the first call only requests it,
 * and another ADMIN's call does it.
 */
function switchedByTwo(ctx: Context, before: Center, input: UpdateCenterInput) {
  const { erasureNeedsTwo: isOn, erasureSwitchOffBy: asked } = settingsOf(before) as Record<string, unknown>;
  const { erasureNeedsTwo, ...rest } = input;
  if (erasureNeedsTwo === undefined) return rest;
  if (erasureNeedsTwo || !isOn) return { ...rest, erasureNeedsTwo, erasureSwitchOffBy: null };
  const caller = principalName(ctx.principal);
  if (asked === undefined || asked === caller) return { ...rest, erasureSwitchOffBy: caller };
  return { ...rest, erasureNeedsTwo, erasureSwitchOffBy: null };
}

function whereabouts(center: { settings: unknown }): CenterLocation {
  const settings = settingsOf(center) as Partial<CenterLocation & { partnerCountry: string }>;
  return { country: settings.country ?? settings.partnerCountry ?? null, region: settings.region ?? null };
}

/** The actual changes, before and after, and the resulting row. */
function changes(
  before: Center,
  { name, description, logo, proof, ...rest }: UpdateCenterInput & { erasureSwitchOffBy?: string | null },
) {
  const old = settingsOf(before);
  const asked: Record<string, unknown> = {
    ...rest,
    ...(rest.emailDomains && { emailDomains: [...new Set(rest.emailDomains)] }),
    ...(proof && { proof: { ...(old['proof'] as object | undefined), ...unrepeated(proof) } }),
  };
  const columns = differing(before, { name, description, logo });
  const settings = differing(old, asked);
  const merged = Object.entries({ ...old, ...settings }).filter(([, value]) => value !== null);
  const to = { ...columns, ...settings };
  const from = Object.fromEntries(
    Object.keys(to).map((key) => [key, (key in columns ? before[key as keyof Center] : old[key]) ?? null]),
  );
  return { from, to, data: { ...columns, settings: Object.fromEntries(merged) as Prisma.InputJsonObject } };
}

function unrepeated({ disclose, ...rest }: NonNullable<UpdateCenterInput['proof']>) {
  return { ...rest, ...(disclose && { disclose: [...new Set(disclose)].sort() }) };
}

function differing(old: object, asked: Record<string, unknown>): Record<string, unknown> {
  const was = (key: string) => JSON.stringify((old as Record<string, unknown>)[key] ?? null);
  return Object.fromEntries(
    Object.entries(asked).filter(([key, value]) => value !== undefined && JSON.stringify(value) !== was(key)),
  );
}
