import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { opaqueId } from '../lib/text.ts';

/** The shapes that several endpoints show. A schema with an id becomes a named component of openapi.json. */
export const timestamp = z.iso.datetime();
export const nothing = z.object({});

/** A closed list of texts, as the description shows it; GraphQL declares it as plain text. */
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
    id: z.string(),
    centerId: z.int(),
    centerName: z.string(),
    centerDomain: z.string(),
    role: actorRole,
    status: membershipStatus,
    invitedAt: timestamp,
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'Membership' });

export const center = z
  .object({
    id: z.int(),
    name: z.string(),
    centerDomain: z.string(),
    tenantType,
    status: centerStatus,
    vertical,
    memberCount: z.int(),
    settings: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Center' });

/** Platform answers: `{success, data}`. */
export const success = <T extends z.ZodType>(data: T) => z.object({ success: z.literal(true), data });

const pagination = z
  .object({ page: z.int(), limit: z.int(), total: z.int(), totalPages: z.int(), hasMore: z.boolean() })
  .meta({ id: 'Pagination' });

export const successPage = <T extends z.ZodType>(item: T) =>
  z.object({
    success: z.literal(true),
    data: z.array(item),
    pagination,
    meta: z.object({ page: z.int(), total: z.int() }),
  });

/** Proof answers: `{data}`. */
export const proofData = <T extends z.ZodType>(data: T) => z.object({ data });

export const proofPage = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    pagination: z
      .object({ total: z.int(), limit: z.int(), offset: z.int(), hasMore: z.boolean() })
      .meta({ id: 'OffsetPagination' }),
  });

/** A whole number in a query or path. It arrives as text; the description calls it what it is. */
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

/** The size of a page on `/v1`. */
export const pageLimit = wholeNumber(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100', {
  minimum: 1,
  maximum: 100,
  default: 20,
});

/** limit and after of lists that go on by cursor. */
export const cursorQuery = { limit: positive.optional(), after: z.string().min(1).max(256).optional() };

/** page and limit of platform lists; a limit above the maximum is taken as the maximum. */
export const pageQuery = { page: positive.optional(), limit: positive.optional() };

export const idParam = z.object({ id: opaqueId });

/** An optional member of a GraphQL input. GraphQL accepts null for it, REST does not. */
export const notNull = <T extends z.ZodType>(member: z.ZodOptional<z.ZodNullable<T>>) =>
  member.unwrap().unwrap().optional();
