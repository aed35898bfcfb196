import { z } from 'zod';
import * as enums from '../../db/generated/prisma/enums.ts';
import { provisionInput } from '../../domain/provisioning/provision.ts';
import { checkSubdomainInput } from '../../domain/provisioning/subdomain.ts';
import { doc } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { route } from '../route.ts';
import { center, membership, success, timestamp, vertical } from '../schemas.ts';

export const subscriptionShape = z
  .object({
    planId: z.string().meta(doc('The id of the plan.', 'center-growth')),
    planName: z.string().meta(doc('The name of the plan.', 'Standard')),
    status: z.enum(enums.SubscriptionStatus).meta({ id: 'SubscriptionStatus' }).describe('The status.'),
    currentPeriodEnd: timestamp.describe('When the paid period ends.'),
    seatLimit: z.int().meta(doc('The maximum number of active members.', 25)),
    seatUsed: z.int().meta(doc('The number of active members.', 14)),
    billingCycle: z.enum(enums.BillingCycle).meta({ id: 'BillingCycle' }).describe('The billing period.'),
    usage: z
      .object({
        decisionRecords: z.int().meta(doc('The number of records on the chains of the center.', 120)),
        apiKeys: z.int().meta(doc('The number of API keys.', 2)),
        webhooks: z.int().meta(doc('The number of webhooks.', 1)),
        workflows: z.int().meta(doc('The number of workflows.', 4)),
      })
      .describe('Usage of the center.'),
  })
  .meta({ id: 'Subscription' });

export const subscriptionSelection = /* GraphQL */ `
  planId planName status currentPeriodEnd seatLimit seatUsed billingCycle
  usage { decisionRecords apiKeys webhooks workflows }`;

export const subscriptionRoutes = [
  route({
    method: 'GET',
    path: '/center/subscription',
    operationId: 'getSubscription',
    summary: "The current center's subscription",
    tag: 'Subscription',
    auth: 'token',
    document: graphql(`query { centerSubscription { ${subscriptionSelection} } }`),
    project: ({ centerSubscription }) => ok(centerSubscription),
    response: success(subscriptionShape),
    status: 200,
    errors: ['UNAUTHORIZED', 'TOKEN_EXPIRED', 'INSUFFICIENT_ROLE', 'NO_MEMBERSHIP', 'NOT_FOUND'],
  }),
];

const plan = z
  .object({
    id: z.string().meta(doc('The id of the plan.', 'center-growth')),
    name: z.string().meta(doc('The name of the plan.', 'Growth')),
    vertical: vertical.nullable().describe('The line of business.'),
    priceMonthly: z.int().meta(doc('The monthly price in the smallest currency unit.', 4900)),
    currency: z.string().meta(doc('The currency (ISO 4217).', 'EUR')),
    seatLimit: z.int().meta(doc('The maximum number of active members.', 25)),
    features: z.array(z.string()).meta(doc('The included features.', ['Unlimited decisions'])),
  })
  .meta({ id: 'Plan' });

const planRow = (path: '/provisioning/center-plans' | '/provisioning/lms-plans', kind: 'CENTER' | 'LMS') =>
  route({
    method: 'GET',
    path,
    operationId: kind === 'CENTER' ? 'listCenterPlans' : 'listLmsPlans',
    summary: kind === 'CENTER' ? 'Plans for centers' : 'Plans for the learning host',
    tag: 'Provisioning',
    auth: 'public',
    document: graphql(`
      query ($kind: PlanKind!) {
        plans(kind: $kind) { id name vertical priceMonthly currency seatLimit features }
      }`),
    variables: () => ({ kind }),
    project: ({ plans }) => ok(plans),
    response: success(z.array(plan)),
    status: 200,
    errors: [],
  });

const provisioned = z.object({
  center: center.describe('The center.'),
  membership: membership.describe('The membership of the administrator.'),
  subscription: subscriptionShape.describe('The subscription of the new center.'),
  tenantMapping: z
    .object({
      lmsTenantId: z
        .uuid()
        .meta(doc("The center's id in the learning system, a UUID.", '0f8fad5b-d9cb-469f-a165-70867728950e')),
    })
    .describe('The ids of the center in companion systems.'),
});

export const provisioningRoutes = [
  planRow('/provisioning/center-plans', 'CENTER'),
  planRow('/provisioning/lms-plans', 'LMS'),
  route({
    method: 'POST',
    path: '/provisioning/check-subdomain',
    operationId: 'checkSubdomain',
    summary: 'Whether a subdomain is free and not reserved',
    tag: 'Provisioning',
    auth: 'token',
    body: checkSubdomainInput,
    document: graphql(`
      query ($subdomain: String!) { available: subdomainAvailable(subdomain: $subdomain) }`),
    variables: ({ body }) => body,
    // The bare field beside the wrapped one: clients may read either.
    project: ({ available }) => ({ success: true as const, available, data: { available } }),
    response: z.object({
      success: z.literal(true).describe('Whether the call succeeded.'),
      available: z.boolean().meta(doc('Whether the name is free.', true)),
      data: z
        .object({ available: z.boolean().meta(doc('Whether the name is free.', true)) })
        .describe('The result.'),
    }),
    status: 200,
    errors: ['MISSING_REQUIRED_FIELD', 'INVALID_SUBDOMAIN', 'UNAUTHORIZED', 'TOKEN_EXPIRED'],
    idempotency: 'none',
  }),
  route({
    method: 'POST',
    path: '/provisioning/center-tenant',
    operationId: 'provisionCenter',
    summary: 'Create a center with its administrator, subscription, tenant mapping and settings',
    tag: 'Provisioning',
    auth: 'token',
    body: provisionInput,
    document: graphql(`
      mutation ($input: ProvisionCenterInput!) {
        provisionCenter(input: $input) {
          created
          center { id name centerDomain tenantType status vertical memberCount settings }
          membership { id centerId centerName centerDomain role status invitedAt endedAt }
          subscription { ${subscriptionSelection} }
          tenantMapping { lmsTenantId }
        }
      }`),
    variables: ({ body }) => ({ input: body }),
    project: ({ provisionCenter: { created: _, ...data } }) => ok(data),
    response: success(provisioned),
    status: ({ provisionCenter }) => (provisionCenter.created ? 201 : 200),
    statuses: [201, 200],
    errors: [
      'VALIDATION_ERROR',
      'MISSING_REQUIRED_FIELD',
      'INVALID_SUBDOMAIN',
      'UNAUTHORIZED',
      'TOKEN_EXPIRED',
      'FORBIDDEN',
      'SUBDOMAIN_TAKEN',
      'DUPLICATE_PROVISIONING',
      'PROVISIONING_FAILED',
    ],
  }),
];
