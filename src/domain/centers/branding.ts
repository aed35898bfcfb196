import { validationError } from '../../lib/errors.ts';
import { isObject, type JsonObject, objectOf } from '../../lib/json.ts';
import { LARGEST_LOGO, LONGEST_BRAND_NAME, parseLogo } from '../branding/brand.ts';

const SAFE_COLOR = /^(#[0-9a-f]{3,8}|[a-z]{3,30}|(rgb|hsl)a?\([0-9\s.,%/deg]{1,60}\))$/i;
const SAFE_FONT = /^[\p{L}\d ,'"-]{1,200}$/u;
const BASE = 'https://relative.invalid';
const LONGEST = 2_048;

/** What is wrong with a value; null if it is valid. */
type Check = (value: string) => string | null;

/** An https URL, or a path on the same site. Nothing else is safe in a page of another site. */
export function isSafeAddress(text: string): boolean {
  const url = URL.parse(text, `${BASE}/`);
  if (!url || /[\s\\]/.test(text)) return false;
  return url.origin === BASE
    ? !/^\s*([a-z][a-z0-9+.-]*:|\/\/)/i.test(text)
    : text.toLowerCase().startsWith('https://');
}

const atMost =
  (longest: number): Check =>
  ({ length }) =>
    length > longest ? `must have at most ${longest} characters` : null;
const address: Check = (value) => {
  if (!isSafeAddress(value)) return 'must be an https or relative address';
  return atMost(LONGEST)(value);
};
const color: Check = (value) =>
  SAFE_COLOR.test(value) ? null : 'must be a CSS color: a name, #hex, rgb() or hsl()';
const font: Check = (value) => (SAFE_FONT.test(value) ? null : 'must be the name of a font');
const logo: Check = (value) => {
  if (!value.startsWith('data:')) return address(value);
  return parseLogo(value) ? null : `must be a PNG, JPEG, WebP or SVG image of at most ${LARGEST_LOGO} bytes`;
};

/**
 * The members of a branding. White-label pages of other sites insert them into texts, styles and images unchanged. This service
 * shows `name`, `tagline`, `primaryColor` and `logo`.
 */
const members = new Map<string, Check>([
  ['name', atMost(LONGEST_BRAND_NAME)],
  ['tagline', atMost(LONGEST)],
  ...['color', 'primaryColor', 'secondaryColor', 'accentColor', 'backgroundColor', 'textColor'].map(
    (name) => [name, color] as const,
  ),
  ['font', font],
  ['fontFamily', font],
  ['logo', logo],
  ...['logoUrl', 'icon', 'favicon', 'websiteUrl', 'supportUrl', 'privacyUrl', 'termsUrl'].map(
    (name) => [name, address] as const,
  ),
]);

function problemOf(name: string, value: unknown): string | null {
  const check = members.get(name);
  if (!check) return `is not a member of branding; use ${[...members.keys()].join(', ')}`;
  return typeof value === 'string' ? check(value) : 'must be text';
}

/**
 * Refuses a change of the branding with an unknown member or an unsafe value. Removing a member is always allowed. An unknown
 * member is refused rather than ignored: the caller would look for it in the public configuration in vain.
 */
export function checkBranding({ branding }: JsonObject): void {
  if (branding === undefined || branding === null) return;
  if (!isObject(branding)) throw validationError([{ path: 'branding', message: 'must be an object' }]);
  for (const [name, value] of Object.entries(branding)) {
    const message = value === null ? null : problemOf(name, value);
    if (message) throw validationError([{ path: `branding.${name}`, message }]);
  }
}

/** The known members with safe values. Drops what was stored before these were checked. */
export function knownBranding(branding: unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(branding)).filter(([name, value]) => problemOf(name, value) === null),
  );
}
