import { DomainError } from '../../lib/errors.ts';
import { type JsonObject, mergePatch } from '../../lib/merge-patch.ts';
import { noSuchCenter } from '../centers/find.ts';
import { settingsOf } from '../centers/view.ts';
import type { Context } from '../context.ts';

const LONGEST_DOMAIN = 253;

/** How a center looks and what it offers, for its address: the partner's word, refined by the center's own. */
export async function whiteLabelConfig({ app }: Context, domain: string) {
  const name = domain.toLowerCase();
  if (!/^[a-z0-9.-]+$/.test(name) || name.length > LONGEST_DOMAIN) throw noSuchCenter();
  // A slug has no dot and a custom domain always has one.
  const where = name.includes('.') ? { customDomain: name } : { centerDomain: name };
  const center = await app.db.acrossTenants.center.findUnique({ where, include: { partner: true } });
  if (!center || center.status === 'INACTIVE') throw noSuchCenter();
  if (center.customDomain === name && center.tenantType !== 'WHITE_LABEL') throw noSuchCenter();
  if (center.status === 'SUSPENDED') throw new DomainError('CENTER_SUSPENDED', 'This center is suspended.');
  const partner = center.partner ? settingsOf(center.partner) : {};
  const own = settingsOf(center);
  const merged = (key: string) => mergePatch(part(partner, key), part(own, key));
  const branding = merged('branding');
  return {
    centerDomain: center.centerDomain,
    name: center.name,
    branding: center.logo && !('logo' in branding) ? { ...branding, logo: center.logo } : branding,
    features: merged('features'),
  };
}

const part = (settings: JsonObject, key: string) => settingsOf({ settings: settings[key] });
