import type { Queryable } from '../../db/database.ts';
import { type RowOf, sql, typed } from '../../db/sql.ts';
import { mergePatch, objectOf } from '../../lib/json.ts';
import { FEATURE_ROW, featureColumns, featureJoins, featuresOffIn } from '../features/features-off.ts';
import { type BrandColors, brandColors } from './color.ts';

/** Uploaded logos are stored in the settings, as data URLs of at most this many bytes. */
export const LARGEST_LOGO = 24_576;

export interface Logo {
  type: string;
  bytes: Buffer;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|webp|svg\+xml));base64,([A-Za-z0-9+/]+={0,2})$/;

const begins: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) =>
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  'image/svg+xml': (bytes) =>
    /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/.test(bytes.toString('utf8', 0, 2_048)),
};

/** The image in a data URL; null unless its content matches its declared type. */
export function parseLogo(text: unknown): Logo | null {
  const [, type, data] = (typeof text === 'string' && DATA_URL.exec(text)) || [];
  if (!type || !data) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length <= LARGEST_LOGO && begins[type]!(bytes) ? { type, bytes } : null;
}

export const LONGEST_BRAND_NAME = 60;
const LONGEST_TAGLINE = 120;

/** The appearance of a center's pages and mails. Null members use the service's own appearance. */
export interface Brand {
  centerId: number;
  centerDomain: string;
  name: string | null;
  tagline: string | null;
  colors: BrandColors | null;
  logo: Logo | null;
}

const BRAND_ROW = {
  id: 'int',
  centerDomain: 'text',
  partnerBranding: typed<unknown>('jsonb'),
  centerBranding: typed<unknown>('jsonb'),
  ...FEATURE_ROW,
} as const;

const columns = `c.id, c.center_domain AS "centerDomain", fp.settings->'branding' AS "partnerBranding",
  c.settings->'branding' AS "centerBranding", ${featureColumns('$enforcePlans')}`;
const BRANDS_OF = sql('brands_of', BRAND_ROW)`
  SELECT ${columns} FROM center c ${featureJoins} WHERE c.id = ANY ($centerIds::int[])`;
const BRAND_AT = sql('brand_at', BRAND_ROW)`
  SELECT ${columns} FROM center c ${featureJoins}
  WHERE c.status = 'ACTIVE'
    AND (c.center_domain = $domain OR (c.custom_domain = $domain AND c.tenant_type = 'WHITE_LABEL'))`;

/** The brands of centers, by id. */
export async function brandsOf(
  db: Queryable,
  centerIds: readonly number[],
  enforcePlans: boolean,
): Promise<Map<number, Brand>> {
  const rows = await BRANDS_OF.rows(db, { centerIds, enforcePlans });
  return new Map(rows.map((row) => [row.id, brandFrom(row)]));
}

/** The brand for a domain slug, or for a custom domain, which always contains a dot; null unless the center is open. */
export async function brandAt(db: Queryable, domain: string, enforcePlans: boolean): Promise<Brand | null> {
  const [row] = await BRAND_AT.rows(db, { domain, enforcePlans });
  return row ? brandFrom(row) : null;
}

/** The partner's branding, overridden by the center's own, limited to what can be displayed safely. */
function brandFrom(row: RowOf<typeof BRAND_ROW>): Brand {
  const { id: centerId, centerDomain } = row;
  const branding = featuresOffIn(row).whiteLabel
    ? {}
    : mergePatch(objectOf(row.partnerBranding), objectOf(row.centerBranding));
  return {
    centerId,
    centerDomain,
    name: oneLine(branding['name'], LONGEST_BRAND_NAME),
    tagline: oneLine(branding['tagline'], LONGEST_TAGLINE),
    colors: brandColors(branding['primaryColor']),
    logo: parseLogo(branding['logo']),
  };
}

/** Removes invisible characters, which could reverse a name or hide a part of it. */
function oneLine(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line.slice(0, longest).trimEnd();
}
