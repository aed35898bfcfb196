import { z } from 'zod';
import * as enums from '../db/generated/prisma/enums.ts';
import { A_PERSON, doc, example } from '../lib/doc.ts';
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

/** What ids refer to, with an example of each. */
export const ids = {
  apiKey: doc('The id of the API key, `key_…`.', 'key_01k9zq2m0000000000000000k1'),
  approval: doc('The id of the approval, `apr_…`.', 'apr_01k9zq2m0000000000000000a1'),
  booking: doc('The id of the booking, `bkg_…`.', 'bkg_01k9zq2m0000000000000000b1'),
  decision: doc(
    'The id of the decision: your `idempotencyKey` if given, else a generated one, `dec_…`.',
    'dec_01k9zq2m0000000000000000c1',
  ),
  dpu: doc('The id of the decision proof unit, `dpu_…`.', 'dpu_01k9zq2m0000000000000000d1'),
  event: doc('The id of the decision event, `evt_…`.', 'evt_01k9zq2m0000000000000000e1'),
  evidence: doc('The id of the evidence, `evd_…`.', 'evd_01k9zq2m0000000000000000v1'),
  instructor: doc('The id of the instructor, a UUID.', A_PERSON),
  mandate: doc('The id of the mandate, `mnd_…`.', 'mnd_01k9zq2m0000000000000000m1'),
  membership: doc('The id of the membership, `mbr_…`.', 'mbr_01k9zq2m0000000000000000m1'),
  webhook: doc('The id of the webhook, `whk_…`.', 'whk_01k9zq2m0000000000000000w1'),
  workflow: doc('The id of the workflow, `wf_…`.', 'wf_01k9zq2m0000000000000000f1'),
};

export const membership = z
  .object({
    id: z.string().meta(ids.membership),
    centerId: z.int().meta(example(12)),
    centerName: z.string().meta(example('Demo Rehabilitation')),
    centerDomain: z.string().meta(example('demo-rehab')),
    role: actorRole.describe('What the person may do in the center.'),
    status: membershipStatus,
    invitedAt: timestamp,
    endedAt: timestamp.nullable().meta(example(null)),
  })
  .meta({ id: 'Membership' });
export const MEMBERSHIP = 'id centerId centerName centerDomain role status invitedAt endedAt';

export const center = z
  .object({
    id: z.int().meta(example(12)),
    name: z.string().meta(example('Demo Rehabilitation')),
    centerDomain: z.string().meta(example('demo-rehab')),
    tenantType,
    status: centerStatus,
    vertical: vertical.describe('Its line of business.'),
    memberCount: z.int().meta(example(14)),
    settings: z.record(z.string(), z.unknown()).meta(example({ timezone: 'Europe/Berlin' })),
  })
  .meta({ id: 'Center' });
export const CENTER = 'id name centerDomain tenantType status vertical memberCount settings';

/** How people sign in to a center. */
export const signIn = z
  .object({
    password: z.boolean().meta(example(true)),
    oidc: z
      .object({ name: z.string().meta(example('Company Login')) })
      .meta({ id: 'SignInProvider' })
      .nullable(),
  })
  .meta({ id: 'SignInOptions' });
export const SIGN_IN = 'signIn { password oidc { name } }';

/** Platform answers: `{success, data}`. */
export const succeeded = z
  .literal(true)
  .describe('Always true; false in an error, which has `error` in place of `data`.');
export const success = <T extends z.ZodType>(data: T) =>
  z.object({
    success: succeeded,
    data: data.describe('What the operation returns; an error has `error` in its place.'),
  });

const pagination = z
  .object({
    page: z.int().meta(example(1)),
    limit: z.int().meta(example(20)),
    total: z.int().meta(example(1)),
    totalPages: z.int().meta(example(1)),
    hasMore: z.boolean().meta(example(false)),
  })
  .meta({ id: 'Pagination' });

export const successPage = <T extends z.ZodType>(item: T) =>
  success(z.array(item)).extend({
    pagination: pagination.describe('The position of this page in the list.'),
    meta: pagination
      .pick({ page: true, total: true })
      .meta({ description: 'The page number and the total, in a short form.', graphqlType: 'Pagination' }),
  });

/** Proof answers: `{data}`. */
export const proofData = <T extends z.ZodType>(data: T) =>
  z.object({ data: data.describe('What the operation returns; an error has `error` in its place.') });

export const proofPage = <T extends z.ZodType>(item: T) =>
  proofData(z.array(item)).extend({
    pagination: z
      .object({
        total: z.int().meta(example(1)),
        limit: z.int().meta(example(20)),
        offset: z.int().meta(example(0)),
        hasMore: z.boolean().meta(example(false)),
      })
      .meta({ id: 'OffsetPagination' })
      .describe('The position of this page in the list.'),
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
  limit: positive.optional().meta(doc('Items per page; more than 100 counts as 100. Default: 20.', 20)),
  after: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .meta(
      doc('The `nextCursor` of the previous page, to continue after it.', 'key_01k9zq2m0000000000000000k1'),
    ),
};

/** page and limit of platform lists; a limit above the maximum is reduced to the maximum. */
export const pageQuery = {
  page: positive.optional().meta(doc('The number of the page to return, from 1. Default: 1.', 1)),
  limit: positive.optional().meta(doc('Items per page; more than 100 counts as 100. Default: 50.', 20)),
};

/** The parameter `{id}` of a path. */
const idParam = (noun: keyof typeof ids) => z.object({ id: opaqueId.meta(ids[noun]) });

export const dpuIdParam = idParam('dpu');
export const eventIdParam = idParam('event');
export const evidenceIdParam = idParam('evidence');
export const mandateIdParam = idParam('mandate');

/** An optional member of a GraphQL input. GraphQL accepts null for it, REST does not. */
export const notNull = <T extends z.ZodType>(member: z.ZodOptional<z.ZodNullable<T>>) =>
  member
    .unwrap()
    .unwrap()
    .optional()
    .meta(member.meta() ?? {});
