import { z } from 'zod';
import { freeSlotsInput } from '../../domain/centers/calendar.ts';
import { searchCentersInput } from '../../domain/centers/search.ts';
import { A_PERSON, doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok, okPage } from '../envelope.ts';
import { route } from '../route.ts';
import { center, centerStatus, success, successPage, tenantType, timestamp, vertical } from '../schemas.ts';

const TAG = 'Centers';
const segment = z.string().min(1);
const domainParam = z.object({ domain: segment.meta(doc("The center's domain.", 'demo-rehab')) });

/** The codes of a center that cannot be entered. */
const accessErrors = [
  'UNAUTHORIZED',
  'TOKEN_EXPIRED',
  'NO_MEMBERSHIP',
  'MEMBERSHIP_SUSPENDED',
  'MEMBERSHIP_ENDED',
  'CENTER_SUSPENDED',
  'CENTER_NOT_FOUND',
] as const;

const centerSummary = z
  .object({
    id: z.int().meta(doc("The center's number.", 12)),
    name: z.string().meta(doc('The display name.', 'Demo Rehabilitation')),
    centerDomain: z.string().meta(doc("The center's domain slug.", 'demo-rehab')),
    tenantType: tenantType.describe('The kind of tenant.'),
    status: centerStatus.describe('The status.'),
    vertical: vertical.describe('The line of business.'),
  })
  .meta({ id: 'CenterSummary' });

const info = {
  name: z.string().meta(doc('The display name.', 'Demo Rehabilitation')),
  description: z.string().meta(doc('A description for visitors.', 'Rehabilitation for children and adults')),
  logo: z.string().meta(doc('The URL of the logo, or empty.', '')),
  vertical: vertical.describe('The line of business.'),
};
const centerInfo = z.object(info).meta({ id: 'CenterInfo' });
const foundCenter = z
  .object({ ...info, centerDomain: z.string().meta(doc("The center's domain slug.", 'demo-rehab')) })
  .meta({ id: 'FoundCenter' });

const instructor = z
  .object({
    id: z.string().meta(doc("The instructor's id, a UUID.", A_PERSON)),
    name: z.string().meta(doc("The instructor's name.", 'Alex Moreau')),
    role: z.string().describe('The role in the center.'),
    specialties: z.array(z.string()).meta(doc('The specialties of the instructor.', ['speech therapy'])),
  })
  .meta({ id: 'Instructor' });

const freeSlot = z
  .object({
    startsAt: timestamp.meta(doc('When it starts.', '2026-11-16T09:00:00.000Z')),
    endsAt: timestamp.meta(doc('When it ends.', '2026-11-16T10:00:00.000Z')),
    instructorId: z.string().meta(doc("The instructor's id.", A_PERSON)),
    instructorName: z.string().meta(doc("The instructor's name.", 'Alex Moreau')),
  })
  .meta({ id: 'FreeSlot' });

export const centerRoutes = [
  route({
    method: 'GET',
    path: '/centers',
    operationId: 'listCenters',
    summary: 'The centers that the caller may enter',
    tag: TAG,
    auth: 'token',
    document: graphql('{ centers { id name centerDomain tenantType status vertical } }'),
    project: ({ centers }) => ok(centers),
    response: success(z.array(centerSummary)),
    status: 200,
    errors: ['UNAUTHORIZED', 'TOKEN_EXPIRED'],
  }),
  route({
    method: 'GET',
    path: '/centers/{center}',
    operationId: 'getCenter',
    summary: 'A center by its id (all digits) or by its domain slug (anything else)',
    tag: TAG,
    auth: 'token',
    params: z.object({ center: segment.meta(doc('The domain or the number of the center.', 'demo-rehab')) }),
    document: graphql(`
      query ($id: ID, $domain: String) {
        center(id: $id, domain: $domain) {
          id name centerDomain tenantType status vertical memberCount settings
        }
      }`),
    variables: ({ params }) =>
      /^\d+$/.test(params.center) ? { id: params.center } : { domain: params.center },
    project: (data) => ok(data.center),
    response: success(center),
    status: 200,
    errors: [...accessErrors],
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/info',
    operationId: 'getCenterInfo',
    summary: 'What anybody may know of a center',
    tag: TAG,
    auth: 'public',
    params: domainParam,
    document: graphql(
      'query ($domain: String!) { centerInfo(domain: $domain) { name description logo vertical } }',
    ),
    variables: ({ params }) => params,
    project: (data) => ok(data.centerInfo),
    response: success(centerInfo),
    status: 200,
    errors: ['CENTER_NOT_FOUND', 'CENTER_SUSPENDED'],
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/instructors',
    operationId: 'listInstructors',
    summary: 'Who teaches or treats in a center',
    tag: TAG,
    auth: 'token',
    params: domainParam,
    document: graphql(
      'query ($domain: String!) { instructors(domain: $domain) { id name role specialties } }',
    ),
    variables: ({ params }) => params,
    project: ({ instructors }) => ok(instructors),
    response: success(z.array(instructor)),
    status: 200,
    errors: [...accessErrors],
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/available-slots',
    operationId: 'listAvailableSlots',
    summary: 'The free times of a day, in the time zone of the center',
    tag: TAG,
    auth: 'token',
    params: domainParam,
    query: freeSlotsInput,
    document: graphql(`
      query ($domain: String!, $input: FreeSlotsInput) {
        availableSlots(domain: $domain, input: $input) { startsAt endsAt instructorId instructorName }
      }`),
    variables: ({ params, query }) => ({ ...params, input: query }),
    project: ({ availableSlots }) => ok(availableSlots),
    response: success(z.array(freeSlot)),
    status: 200,
    errors: [...accessErrors, 'FEATURE_DISABLED', 'VALIDATION_ERROR'],
  }),
  route({
    method: 'POST',
    path: '/centers/search',
    operationId: 'searchCenters',
    summary: 'Finds open centers; typing errors are forgiven',
    tag: TAG,
    auth: 'public',
    body: searchCentersInput,
    bodyOptional: true,
    document: graphql(`
      query ($input: SearchCentersInput!) {
        searchCenters(input: $input) {
          items { name centerDomain vertical description logo }
          info { page limit total totalPages hasMore }
        }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ searchCenters }) => okPage(searchCenters),
    response: successPage(foundCenter),
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
];
