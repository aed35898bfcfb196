import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { doc } from '../lib/doc.ts';
import { opaqueId } from '../lib/text.ts';

/** Shapes used by several endpoints. A schema with an id becomes a named component of openapi.json. */
export const timestamp = z.iso.datetime();
export const nothing = z.object({});

/** An enumeration in the description; GraphQL declares it as a plain string. */
export const oneOf = (values: readonly string[]): z.ZodType<string, string> => z.enum(values);

const named = (id: string, values: Record<string, string>) =>
  z.enum(Object.values(values) as [string, ...string[]]).meta({ id });

export const actorRole = named('ActorRole', enums.ActorRole);
export const vertical = named('Vertical', enums.Vertical);
export const tenantType = named('TenantType', enums.TenantType);
export const centerStatus = named('CenterStatus', enums.CenterStatus);
export const membershipStatus = named('MembershipStatus', enums.MembershipStatus);
export const evidenceLevel = named('EvidenceLevel', enums.EvidenceLevel);

export const membership = z
  .object({
    id: z.string().meta(doc('The id of the membership.', 'mbr_01k9zq2m0000000000000000m1')),
    centerId: z.int().meta(doc("The center's number.", 12)),
    centerName: z.string().meta(doc("The center's name.", 'Demo Rehabilitation')),
    centerDomain: z.string().meta(doc("The center's domain slug.", 'demo-rehab')),
    role: actorRole.describe('The role in the center.'),
    status: membershipStatus.describe('The status.'),
    invitedAt: timestamp.describe('When the person was invited.'),
    endedAt: timestamp.nullable().meta(doc('When the membership ended, or null.', null)),
  })
  .meta({ id: 'Membership' });

export const center = z
  .object({
    id: z.int().meta(doc("The center's number.", 12)),
    name: z.string().meta(doc('The display name.', 'Demo Rehabilitation')),
    centerDomain: z.string().meta(doc("The center's domain slug.", 'demo-rehab')),
    tenantType: tenantType.describe('The kind of tenant.'),
    status: centerStatus.describe('The status.'),
    vertical: vertical.describe('The line of business.'),
    memberCount: z.int().meta(doc('The number of active members.', 14)),
    settings: z.record(z.string(), z.unknown()).meta(doc('Settings by name.', { timezone: 'Europe/Berlin' })),
  })
  .meta({ id: 'Center' });

/** Platform answers: `{success, data}`. */
export const success = <T extends z.ZodType>(data: T) =>
  z.object({
    success: z.literal(true).describe('Whether the call succeeded.'),
    data: data.describe('The result.'),
  });

const pagination = z
  .object({
    page: z.int().meta(doc('The number of the page, from 1.', 1)),
    limit: z.int().meta(doc('The maximum number of entries per page.', 20)),
    total: z.int().meta(doc('The total number.', 1)),
    totalPages: z.int().meta(doc('The number of pages.', 1)),
    hasMore: z.boolean().meta(doc('Whether there are more pages.', false)),
  })
  .meta({ id: 'Pagination' });

export const successPage = <T extends z.ZodType>(item: T) =>
  z.object({
    success: z.literal(true).describe('Whether the call succeeded.'),
    data: z.array(item).describe('The result.'),
    pagination: pagination.describe('Pagination.'),
    meta: z
      .object({
        page: z.int().meta(doc('The number of the page, from 1.', 1)),
        total: z.int().meta(doc('The total number.', 1)),
      })
      .describe('Pagination.'),
  });

/** Proof answers: `{data}`. */
export const proofData = <T extends z.ZodType>(data: T) => z.object({ data: data.describe('The result.') });

export const proofPage = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item).describe('The result.'),
    pagination: z
      .object({
        total: z.int().meta(doc('The total number.', 1)),
        limit: z.int().meta(doc('The maximum number of entries per page.', 20)),
        offset: z.int().meta(doc('The number of skipped entries.', 0)),
        hasMore: z.boolean().meta(doc('Whether there are more pages.', false)),
      })
      .meta({ id: 'OffsetPagination' })
      .describe('Pagination.'),
  });

/** An integer in a query or path. It arrives as text; the description shows an integer. */
export const wholeNumber = (
  pattern: RegExp,
  fault: string,
  bounds: { minimum?: number; maximum?: number; default?: number } = {},
) =>
  z
    .string()
    .regex(pattern, fault)
    .meta({ type: 'integer', ...bounds })
    .transform(Number);

export const positive = wholeNumber(/^[1-9]\d{0,8}$/, 'must be a positive whole number', { minimum: 1 });

/** The page size on `/v1`. */
export const pageLimit = wholeNumber(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100', {
  minimum: 1,
  maximum: 100,
  default: 20,
});

/** limit and after, for lists paged by cursor. */
export const cursorQuery = {
  limit: positive.optional().meta(doc('The maximum number of entries per page.', 20)),
  after: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta(doc('The `nextCursor` of the previous page.', 'key_01k9zq2m0000000000000000k1')),
};

/** page and limit of platform lists; a limit above the maximum is reduced to the maximum. */
export const pageQuery = {
  page: positive.optional().meta(doc('The number of the page, from 1.', 1)),
  limit: positive.optional().meta(doc('The maximum number of entries per page.', 20)),
};

/** The parameter `{id}` of a path. */
const idParam = (description: string, example: string) =>
  z.object({ id: opaqueId.meta(doc(description, example)) });

export const dpuIdParam = idParam('The id of the decision proof unit.', 'dpu_01k9zq2m0000000000000000d1');
export const eventIdParam = idParam('The id of the event.', 'evt_01k9zq2m0000000000000000e1');
export const evidenceIdParam = idParam('The id of the evidence.', 'evd_01k9zq2m0000000000000000v1');
export const mandateIdParam = idParam('The id of the mandate.', 'mnd_01k9zq2m0000000000000000m1');

/** An optional member of a GraphQL input. GraphQL accepts null for it, REST does not. */
export const notNull = <T extends z.ZodType>(member: z.ZodOptional<z.ZodNullable<T>>) =>
  member
    .unwrap()
    .unwrap()
    .optional()
    .meta(member.meta() ?? {});
