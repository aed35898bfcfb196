import { z } from 'zod';
import { freeSlotsInput } from '../../domain/centers/calendar.ts';
import { searchCentersInput } from '../../domain/centers/search.ts';
import { A_PERSON, doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok, okPage } from '../envelope.ts';
import { routesOf } from '../route.ts';
import {
  CENTER,
  center,
  ids,
  SIGN_IN,
  signIn,
  success,
  successPage,
  timestamp,
  vertical,
} from '../schemas.ts';

const segment = z.string().min(1);
const domainParam = z.object({ domain: segment.meta(doc('The domain slug of the center.', 'demo-rehab')) });

/** The codes of a center that cannot be entered. */
const accessErrors = [
  'TOKEN_EXPIRED',
  'NO_MEMBERSHIP',
  'MEMBERSHIP_SUSPENDED',
  'MEMBERSHIP_ENDED',
  'CENTER_SUSPENDED',
  'CENTER_NOT_FOUND',
] as const;

const centerSummary = center
  .omit({ memberCount: true, settings: true })
  .meta({ id: 'CenterSummary', graphqlType: 'Center' });

const centerInfo = z
  .object({
    name: z.string().meta(example('Demo Rehabilitation')),
    description: z
      .string()
      .meta(
        doc(
          'What the center says about itself in public; may be empty.',
          'Rehabilitation for children and adults',
        ),
      ),
    logo: z.string().meta(example('')),
    vertical: vertical.describe('Its line of business.'),
  })
  .meta({ id: 'CenterProfile', graphqlType: 'CenterInfo' });
const foundCenter = centerInfo
  .extend({ centerDomain: z.string().meta(example('demo-rehab')) })
  .meta({ id: 'FoundCenter', graphqlType: 'CenterInfo' });

const instructor = z
  .object({
    id: z.string().meta(example(A_PERSON)),
    name: z.string().meta(example('Alex Moreau')),
    role: z.string(),
    specialties: z.array(z.string()).meta(example(['speech therapy'])),
  })
  .meta({ id: 'Instructor' });

const freeSlot = z
  .object({
    startsAt: timestamp.meta(example('2026-11-16T09:00:00.000Z')),
    endsAt: timestamp.meta(example('2026-11-16T10:00:00.000Z')),
    instructorId: z.string().meta(ids.instructor),
    instructorName: z.string().meta(example('Alex Moreau')),
  })
  .meta({ id: 'FreeSlot' });

const route = routesOf({ tag: 'Centers', auth: 'token' });

export const centerRoutes = [
  route({
    method: 'GET',
    path: '/centers',
    operationId: 'listCenters',
    summary: 'The centers that the caller may enter',
    document: graphql('{ centers { id name centerDomain tenantType status vertical } }'),
    project: ({ centers }) => ok(centers),
    response: success(z.array(centerSummary)),
    errors: ['TOKEN_EXPIRED'],
  }),
  route({
    method: 'GET',
    path: '/centers/{center}',
    operationId: 'getCenter',
    summary: 'A center by its id (all digits) or by its domain slug (anything else)',
    params: z.object({
      center: segment.meta(doc('The domain slug of the center, or its id.', 'demo-rehab')),
    }),
    document: graphql(`
      query ($id: ID, $domain: String) {
        center(id: $id, domain: $domain) { ${CENTER} ${SIGN_IN} }
      }`),
    variables: ({ params }) =>
      /^\d+$/.test(params.center) ? { id: params.center } : { domain: params.center },
    project: (data) => ok(data.center),
    response: success(center.extend({ signIn }).meta({ id: 'CenterWithSignIn', graphqlType: 'Center' })),
    errors: accessErrors,
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/info',
    operationId: 'getCenterInfo',
    summary: 'Public information about a center',
    auth: 'public',
    params: domainParam,
    document: graphql(`
      query ($domain: String!) { centerInfo(domain: $domain) { name description logo vertical ${SIGN_IN} } }`),
    variables: ({ params }) => params,
    project: (data) => ok(data.centerInfo),
    response: success(centerInfo.extend({ signIn }).meta({ id: 'CenterInfo' })),
    errors: ['CENTER_NOT_FOUND', 'CENTER_SUSPENDED'],
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/instructors',
    operationId: 'listInstructors',
    summary: 'The instructors of a center',
    params: domainParam,
    document: graphql(
      'query ($domain: String!) { instructors(domain: $domain) { id name role specialties } }',
    ),
    variables: ({ params }) => params,
    project: ({ instructors }) => ok(instructors),
    response: success(z.array(instructor)),
    errors: accessErrors,
  }),
  route({
    method: 'GET',
    path: '/centers/{domain}/available-slots',
    operationId: 'listAvailableSlots',
    summary: 'The free slots of a day in a center',
    params: domainParam,
    query: freeSlotsInput,
    document: graphql(`
      query ($domain: String!, $input: FreeSlotsInput) {
        availableSlots(domain: $domain, input: $input) { startsAt endsAt instructorId instructorName }
      }`),
    variables: ({ params, query }) => ({ ...params, input: query }),
    project: ({ availableSlots }) => ok(availableSlots),
    response: success(z.array(freeSlot)),
    errors: [...accessErrors, 'FEATURE_DISABLED'],
  }),
  route({
    method: 'POST',
    path: '/centers/search',
    operationId: 'searchCenters',
    summary: 'Search active centers; typing errors are tolerated',
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
    errors: ['VALIDATION_ERROR'],
  }),
];
