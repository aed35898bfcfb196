import { validationError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import { LARGEST_LOGO, LONGEST_BRAND_NAME, parseLogo } from '../branding/brand.ts';

const ADDRESS = /(logo|icon|image|picture|url|link)$/i;
const COLOR = /colou?r$/i;
const SAFE_COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl)a?\([0-9\s.,%/deg]{1,60}\))$/i;
const BASE = 'https://relative.invalid';

/** An https URL, or a path on the same site. Nothing else is safe in a page of another site. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text, `${BASE}/`);
  if (!url || /[\s\\]/.test(text)) return false;
  return url.origin === BASE
    ? !/^\s*([a-z][a-z0-9+.-]*:|\/\/)/i.test(text)
    : text.toLowerCase().startsWith('https://');
}

/** White-label pages insert these into styles and images unchanged. */
export function requireSafeBranding(settings: JsonObject): void {
  const { branding } = settings;
  if (typeof branding !== 'object' || branding === null) return;
  for (const [name, value] of Object.entries(branding)) {
    if (typeof value !== 'string') continue;
    const path = `branding.${name}`;
    if (name === 'name' && value.length > LONGEST_BRAND_NAME)
      throw validationError([{ path, message: `must have at most ${LONGEST_BRAND_NAME} characters` }]);
    if (name === 'logo' && value.startsWith('data:')) {
      if (parseLogo(value)) continue;
      throw validationError([
        { path, message: `must be a PNG, JPEG, WebP or SVG image of at most ${LARGEST_LOGO} bytes` },
      ]);
    }
    if (ADDRESS.test(name) && !isSafeAddress(value))
      throw validationError([{ path, message: 'must be an https or relative address' }]);
    if (COLOR.test(name) && !SAFE_COLOR.test(value))
      throw validationError([{ path, message: 'must be a CSS color: a name, #hex, rgb() or hsl()' }]);
  }
}
