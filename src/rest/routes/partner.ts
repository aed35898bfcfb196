import { z } from 'zod';
import { centerSearchInput } from '../../domain/partners/centers.ts';
import { createPartnerCenterInput } from '../../domain/partners/create-center.ts';
import { onboardPartnerInput } from '../../domain/partners/onboard.ts';
import { settingsPatch } from '../../domain/partners/settings.ts';
import { updatePartnerCenterInput } from '../../domain/partners/update-center.ts';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok, okPage } from '../envelope.ts';
import { auditEntry, createdCenter, dashboard, member, onboarded, settings } from '../partner-shapes.ts';
import { routesOf } from '../route.ts';
import { CENTER, center, pageQuery, success, successPage, wholeNumber } from '../schemas.ts';

const INFO = 'info { page limit total totalPages hasMore }';

const centerParam = z.object({
  centerId: wholeNumber(/^[1-9]\d{0,9}$/, 'must be the number of a center', { minimum: 1 })
    // The largest GraphQL integer; no center has a larger number.
    .transform((id) => Math.min(id, 2_147_483_647))
    .meta(doc('The id of the center, a positive integer.', 12)),
});

const route = routesOf({ tag: 'Partner', auth: 'token', errors: ['TOKEN_EXPIRED', 'INSUFFICIENT_ROLE'] });

export const partnerRoutes = [
  route({
    method: 'GET',
    path: '/partner/centers',
    operationId: 'listPartnerCenters',
    summary: "List the partner's centers, oldest first",
    query: z.object({
      ...pageQuery,
      search: centerSearchInput
        .optional()
        .meta(doc('Only centers with this text in their name or domain.', 'rehab')),
    }),
    document: graphql(`
      query ($page: Int, $limit: Int, $search: String) {
        list: partnerCenterPage(page: $page, limit: $limit, search: $search) { items { ${CENTER} } ${INFO} }
      }`),
    variables: ({ query }) => query,
    project: ({ list }) => okPage(list),
    response: successPage(center),
  }),
  route({
    method: 'POST',
    path: '/partner/centers',
    operationId: 'createPartnerCenter',
    summary: 'Create a center and invite its administrator',
    body: createPartnerCenterInput,
    document: graphql(`
      mutation ($input: CreatePartnerCenterInput!) {
        created: createPartnerCenter(input: $input) {
          center { ${CENTER} }
          admin { email membershipId status }
        }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ created }) => ok({ ...created.center, admin: created.admin }),
    response: success(createdCenter),
    status: 201,
    errors: ['VALIDATION_ERROR', 'MISSING_REQUIRED_FIELD', 'INVALID_EMAIL', 'PROVISIONING_FAILED'],
  }),
  route({
    method: 'GET',
    path: '/partner/centers/{centerId}',
    operationId: 'getPartnerCenter',
    summary: "One of the partner's centers",
    params: centerParam,
    document: graphql(`query ($id: Int!) { center: partnerCenter(id: $id) { ${CENTER} } }`),
    variables: ({ params }) => ({ id: params.centerId }),
    project: ({ center }) => ok(center),
    response: success(center),
    errors: ['VALIDATION_ERROR', 'CENTER_NOT_FOUND'],
  }),
  route({
    method: 'PATCH',
    path: '/partner/centers/{centerId}',
    operationId: 'updatePartnerCenter',
    summary: "Rename, suspend or reopen one of the partner's centers",
    params: centerParam,
    body: updatePartnerCenterInput,
    document: graphql(`
      mutation ($input: UpdatePartnerCenterInput!) { center: updatePartnerCenter(input: $input) { ${CENTER} } }`),
    variables: ({ params, body }) => ({ input: { ...body, centerId: params.centerId } }),
    project: ({ center }) => ok(center),
    response: success(center),
    errors: ['VALIDATION_ERROR', 'CENTER_NOT_FOUND', 'CONFLICT'],
  }),
  route({
    method: 'GET',
    path: '/partner/stats/dashboard',
    operationId: 'getPartnerDashboard',
    summary: 'Numbers of centers, members and active people, and the revenue',
    document: graphql(`
      query {
        dashboard: partnerDashboard {
          totalCenters totalMembers activeToday
          revenue { currency monthToDate lastMonth recurringMonthly }
        }
      }`),
    project: ({ dashboard }) => ok(dashboard),
    response: success(dashboard),
  }),
  route({
    method: 'GET',
    path: '/partner/audit',
    operationId: 'listPartnerAudit',
    summary: "The audit log of the partner's centers, newest first",
    query: z.object({
      ...pageQuery,
      startDate: z.iso.date().optional().meta(doc('Only entries from this day on, in UTC.', '2026-11-01')),
      endDate: z.iso
        .date()
        .optional()
        .meta(doc('Only entries to the end of this day, in UTC.', '2026-11-30')),
    }),
    document: graphql(`
      query ($page: Int, $limit: Int, $startDate: Date, $endDate: Date) {
        list: partnerAuditPage(page: $page, limit: $limit, startDate: $startDate, endDate: $endDate) {
          items { id type actorId actorEmail centerId target detail ip occurredAt }
          ${INFO}
        }
      }`),
    variables: ({ query }) => query,
    project: ({ list }) => okPage(list),
    response: successPage(auditEntry),
  }),
  route({
    method: 'GET',
    path: '/partner/members',
    operationId: 'listPartnerMembers',
    summary: "The members of the partner's centers, oldest first",
    query: z.object(pageQuery),
    document: graphql(`
      query ($page: Int, $limit: Int) {
        list: partnerMemberPage(page: $page, limit: $limit) {
          items { id actorId name email role status centerId centerName centerDomain invitedAt endedAt }
          ${INFO}
        }
      }`),
    variables: ({ query }) => query,
    project: ({ list }) => okPage(list),
    response: successPage(member),
  }),
  route({
    method: 'GET',
    path: '/partner/settings',
    operationId: 'getPartnerSettings',
    summary: "Read the partner's settings: branding, features and others",
    document: graphql(`query { settings: partnerSettings }`),
    project: ({ settings }) => ok(settings),
    response: success(settings),
  }),
  route({
    method: 'PATCH',
    path: '/partner/settings',
    operationId: 'changePartnerSettings',
    summary: "Merge into the partner's settings; null removes a key",
    body: settingsPatch,
    document: graphql(`mutation ($patch: JSON!) { settings: changePartnerSettings(patch: $patch) }`),
    variables: ({ body }) => ({ patch: body }),
    project: ({ settings }) => ok(settings),
    response: success(settings),
    errors: ['VALIDATION_ERROR'],
  }),
  route({
    method: 'POST',
    path: '/admin/partners/onboard',
    operationId: 'onboardPartner',
    summary: 'Create a partner with its first center and invite the administrator of both',
    tag: 'Platform administration',
    body: onboardPartnerInput,
    document: graphql(`
      mutation ($input: OnboardPartnerInput!) {
        onboarded: onboardPartner(input: $input) {
          partner { id name settings createdAt }
          center { ${CENTER} }
          admin { actorId email name role membershipId status }
        }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ onboarded }) => ok(onboarded),
    response: success(onboarded),
    status: 201,
    errors: [
      'VALIDATION_ERROR',
      'MISSING_REQUIRED_FIELD',
      'INVALID_EMAIL',
      'INVALID_SUBDOMAIN',
      'SUBDOMAIN_TAKEN',
      'CONFLICT',
      'PROVISIONING_FAILED',
    ],
  }),
];
