import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import { DomainError, validationError } from '../../lib/errors.ts';
import { isObject, type JsonObject, mergePatch } from '../../lib/json.ts';
import { brandsOf } from '../branding/brand.ts';
import { checkBranding, knownBranding } from '../centers/branding.ts';
import { type FeatureState, featuresOffFor } from '../centers/center-features.ts';
import { centerNotFound } from '../centers/find.ts';
import { settingsOf } from '../centers/view.ts';
import type { Context } from '../context.ts';
import { features, featureTexts } from '../features/catalog.ts';
import { checkLeaving } from '../policies/leaving.ts';
import { transact, type Work } from '../unit-of-work.ts';
import { currentPartnerId } from './partner-access.ts';

/** A partner's country applies to each of its centers without one. */
function countryOf(settings: JsonObject): string | null {
  return typeof settings['country'] === 'string' ? settings['country'] : null;
}

function requireCountry({ country }: JsonObject): void {
  if (country === undefined || (typeof country === 'string' && /^[A-Z]{2}$/.test(country))) return;
  throw validationError([{ path: 'country', message: 'must be two capital letters (ISO 3166)' }]);
}

/**
 * Writes the partner's country to its centers, with an audit entry in each: a proof must be able to show which country
 * policies applied to a center at any time. Refused if a center would leave a policy that enforces guards.
 */
async function moveCenters(
  ctx: Context,
  work: Work,
  partnerId: string,
  from: string | null,
  to: string | null,
): Promise<void> {
  if (from === to) return;
  const following = await work.db.$queryRaw<{ region: string | null }[]>`
    SELECT DISTINCT settings->>'region' AS region FROM center
    WHERE partner_id = ${partnerId} AND status <> 'INACTIVE' AND settings->>'country' IS NULL`;
  for (const { region } of following) {
    await checkLeaving(ctx, work.db, { country: from, region }, { country: to, region });
  }
  const moved = await work.db.$queryRaw<{ id: number }[]>`
    UPDATE center SET updated_at = ${ctx.now}, settings = CASE
      WHEN ${to}::text IS NULL THEN settings - 'partnerCountry'
      ELSE settings || jsonb_build_object('partnerCountry', ${to}::text) END
    WHERE partner_id = ${partnerId} RETURNING id`;
  const detail = { from: { partnerCountry: from }, to: { partnerCountry: to } };
  for (const { id } of moved) {
    work.audit({ type: 'center.updated', centerId: id, target: String(id), detail });
  }
}

const LONGEST_DOMAIN = 253;

/** The appearance and features of a center, by its address: the partner's settings, overridden by the center's own. */
export async function whiteLabelConfig(ctx: Context, domain: string) {
  const { app } = ctx;
  const name = domain.toLowerCase();
  if (!/^[a-z0-9.-]+$/.test(name) || name.length > LONGEST_DOMAIN) throw centerNotFound();
  // A slug has no dot and a custom domain always has one.
  const where = name.includes('.') ? { customDomain: name } : { centerDomain: name };
  const center = await app.db.acrossTenants.center.findUnique({ where, include: { partner: true } });
  if (!center || center.status === 'INACTIVE') throw centerNotFound();
  if (center.customDomain === name && center.tenantType !== 'WHITE_LABEL') throw centerNotFound();
  if (center.status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  const off = await featuresOffFor(ctx, center.id);
  if (off.whiteLabel && center.customDomain === name) throw centerNotFound();
  const partner = center.partner ? settingsOf(center.partner) : {};
  const own = settingsOf(center);
  const merged = (key: string) => mergePatch(part(partner, key), part(own, key));
  const branding = knownBranding(off.whiteLabel ? own['branding'] : merged('branding'));
  const brands = await brandsOf(
    app.db.declared('acrossTenants'),
    [center.id],
    app.config.enforcePlanFeatures,
  );
  return {
    brand: brands.get(center.id)!,
    centerDomain: center.centerDomain,
    name: center.name,
    branding: center.logo && !('logo' in branding) ? { ...branding, logo: center.logo } : branding,
    features: { ...merged('features'), ...Object.fromEntries(Object.keys(off).map((name) => [name, false])) },
  };
}

const part = (settings: JsonObject, key: string) => settingsOf({ settings: settings[key] });

export const settingsPatch = z.record(z.string().max(256), z.json());

const LARGEST_BYTES = 65_536;

export async function partnerSettings(ctx: Context): Promise<JsonObject> {
  const partner = await ctx.app.db.acrossTenants.partner.findUniqueOrThrow({
    where: { id: currentPartnerId(ctx) },
  });
  return withKnownBranding(settingsOf(partner));
}

const withKnownBranding = (settings: JsonObject): JsonObject =>
  'branding' in settings ? { ...settings, branding: knownBranding(settings['branding']) } : settings;

/** The features that the partner can turn on and off for its centers, with their state. */
export async function partnerFeatures(ctx: Context): Promise<FeatureState[]> {
  const { features: switches } = await partnerSettings(ctx);
  const isOff = (id: string) =>
    typeof switches === 'object' && switches !== null && Reflect.get(switches, id) === false;
  return features
    .filter((id) => featureTexts[id].switchable)
    .map((id) => {
      const { name, description } = featureTexts[id];
      return { id, name, description, enabled: !isOff(id), neededPlan: null };
    });
}

/** Merges into the settings, so that concurrent changes are both kept. */
export async function changePartnerSettings(ctx: Context, patch: JsonObject): Promise<JsonObject> {
  const id = currentPartnerId(ctx);
  return transact.acrossTenants(ctx, async (work) => {
    await work.db.$queryRaw`SELECT id FROM partner WHERE id = ${id} FOR UPDATE`;
    const partner = await work.db.partner.findUniqueOrThrow({ where: { id } });
    const before = settingsOf(partner);
    checkBranding(patch);
    const settings = withKnownBranding(mergePatch(before, patch));
    requireStorable(settings);
    if ('country' in patch) {
      requireCountry(settings);
      await moveCenters(ctx, work, id, countryOf(before as JsonObject), countryOf(settings));
    }
    const keys = changedKeys(before, settings);
    if (keys.length === 0) return settings;
    await work.db.partner.update({ where: { id }, data: { settings: settings as Prisma.InputJsonObject } });
    work.audit({
      type: 'partner.settings_changed',
      centerId: null,
      partnerId: id,
      target: id,
      // Values can be anything, so the audit entry contains only their names.
      detail: { keys },
    });
    return settings;
  });
}

/** What differs, such as `country` and `branding.name`. */
function changedKeys(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [was, now] = [before[key], after[key]];
    if (JSON.stringify(was) === JSON.stringify(now)) return [];
    if (!isObject(was) || !isObject(now)) return [key];
    return changedKeys(was, now).map((inner) => `${key}.${inner}`);
  });
}

function requireStorable(settings: JsonObject): void {
  const text = JSON.stringify(settings);
  if (Buffer.byteLength(text) > LARGEST_BYTES) {
    throw validationError([{ path: '', message: `settings may take ${LARGEST_BYTES} bytes at most` }]);
  }
  // PostgreSQL cannot store NUL in text.
  if (text.includes('\\u0000')) {
    throw validationError([{ path: '', message: 'settings must not contain the character U+0000' }]);
  }
}
