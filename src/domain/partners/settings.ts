import { z } from 'zod';
import type { Prisma } from '../../db/database.ts';
import { validationError } from '../../lib/errors.ts';
import { type JsonObject, mergePatch } from '../../lib/merge-patch.ts';
import { requireSafeBranding } from '../centers/branding.ts';
import type { FeatureState } from '../centers/center-features.ts';
import { settingsOf } from '../centers/view.ts';
import type { Context } from '../context.ts';
import { features, featureTexts } from '../features/catalogue.ts';
import { transact } from '../unit-of-work.ts';
import { countryOf, moveCenters, requireCountry } from './country.ts';
import { currentPartnerId } from './partner-access.ts';

export const settingsPatch = z.record(z.string().max(256), z.json());

const LARGEST_BYTES = 65_536;

export async function partnerSettings(ctx: Context): Promise<JsonObject> {
  const partner = await ctx.app.db.acrossTenants.partner.findUniqueOrThrow({
    where: { id: currentPartnerId(ctx) },
  });
  return settingsOf(partner);
}

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
  return transact(
    ctx,
    async (work) => {
      await work.db.$queryRaw`SELECT id FROM partner WHERE id = ${id} FOR UPDATE`;
      const partner = await work.db.partner.findUniqueOrThrow({ where: { id } });
      const before = settingsOf(partner);
      const settings = mergePatch(before, patch);
      requireStorable(settings);
      requireSafeBranding(settings);
      if ('country' in patch) {
        requireCountry(settings);
        await moveCenters(ctx, work, id, countryOf(before as JsonObject), countryOf(settings));
      }
      if (Object.keys(patch).length === 0) return settings;
      await work.db.partner.update({ where: { id }, data: { settings: settings as Prisma.InputJsonObject } });
      work.audit({
        type: 'partner.settings_changed',
        centerId: null,
        partnerId: id,
        target: id,
        // Values can be anything, so the audit entry contains only their names.
        detail: { keys: Object.keys(patch) },
      });
      return settings;
    },
    { acrossTenants: true },
  );
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
