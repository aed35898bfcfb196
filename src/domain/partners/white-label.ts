import { DomainError } from '../../lib/errors.ts';
import { type JsonObject, mergePatch } from '../../lib/merge-patch.ts';
import { brandsOf } from '../branding/brand.ts';
import { featuresOffFor } from '../centers/center-features.ts';
import { centerNotFound } from '../centers/find.ts';
import { settingsOf } from '../centers/view.ts';
import type { Context } from '../context.ts';

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
  const branding = off.whiteLabel ? part(own, 'branding') : merged('branding');
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
