import { z } from 'zod';
import * as enums from '../../db/generated/prisma/enums.ts';
import { provisionInput } from '../../domain/provisioning/provision.ts';
import { checkSubdomainInput } from '../../domain/provisioning/subdomain.ts';
import { doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { routesOf } from '../route.ts';
import {
  CENTER,
  center,
  MEMBERSHIP,
  membership,
  succeeded,
  success,
  timestamp,
  vertical,
} from '../schemas.ts';

const subscriptionShape = z
  .object({
    planId: z.string().meta(example('center-growth')),
    planName: z.string().meta(example('Standard')),
    status: z.enum(enums.SubscriptionStatus).meta({ id: 'SubscriptionStatus' }),
    currentPeriodEnd: timestamp,
    seatLimit: z.int().meta(example(25)),
    seatUsed: z.int().meta(example(14)),
    billingCycle: z.enum(enums.BillingCycle).meta({ id: 'BillingCycle' }),
    usage: z.object({
      decisionRecords: z.int().meta(example(120)),
      apiKeys: z.int().meta(example(2)),
      webhooks: z.int().meta(example(1)),
      workflows: z.int().meta(example(4)),
    }),
  })
  .meta({ id: 'Subscription', graphqlType: 'CenterSubscription' });

const subscriptionSelection = /* GraphQL */ `
  planId planName status currentPeriodEnd seatLimit seatUsed billingCycle
  usage { decisionRecords apiKeys webhooks workflows }`;

const route = routesOf({ tag: 'Provisioning', auth: 'token' });

const plan = z
  .object({
    id: z.string().meta(example('center-growth')),
    name: z.string().meta(example('Growth')),
    vertical: vertical.nullable(),
    priceMonthly: z.int().meta(example(4900)),
    currency: z.string().meta(example('EUR')),
    seatLimit: z.int().meta(example(25)),
    features: z.array(z.string()).meta(example(['Unlimited decisions'])),
  })
  .meta({ id: 'Plan' });

const planRow = (path: '/provisioning/center-plans' | '/provisioning/lms-plans', kind: 'CENTER' | 'LMS') =>
  route({
    method: 'GET',
    path,
    operationId: kind === 'CENTER' ? 'listCenterPlans' : 'listLmsPlans',
    summary:
      kind === 'CENTER' ? 'List the plans that centers can order' : 'List the plans of the learning host',
    auth: 'public',
    document: graphql(`
      query ($kind: PlanKind!) {
        plans(kind: $kind) { id name vertical priceMonthly currency seatLimit features }
      }`),
    variables: () => ({ kind }),
    project: ({ plans }) => ok(plans),
    response: success(z.array(plan)),
  });

const provisioned = z
  .object({
    center,
    membership,
    subscription: subscriptionShape,
    tenantMapping: z.object({
      lmsTenantId: z.uuid().meta(example('0f8fad5b-d9cb-469f-a165-70867728950e')),
    }),
  })
  .meta({ graphqlType: 'ProvisionedCenter' });

const availability = z.object({
  available: z.boolean().meta(doc('Whether a center could be created under this name now.', true)),
});

export const provisioningRoutes = [
  planRow('/provisioning/center-plans', 'CENTER'),
  planRow('/provisioning/lms-plans', 'LMS'),
  route({
    method: 'POST',
    path: '/provisioning/check-subdomain',
    operationId: 'checkSubdomain',
    summary: 'Whether a subdomain is free and not reserved',
    body: checkSubdomainInput,
    document: graphql(`
      query ($subdomain: String!) { available: subdomainAvailable(subdomain: $subdomain) }`),
    variables: ({ body }) => body,
    // The bare field beside the wrapped one: clients may read either.
    project: ({ available }) => ({ success: true as const, available, data: { available } }),
    response: z.object({
      success: succeeded,
      ...availability.shape,
      data: availability.describe('The same, wrapped like every platform response.'),
    }),
    errors: ['MISSING_REQUIRED_FIELD', 'INVALID_SUBDOMAIN', 'TOKEN_EXPIRED'],
    idempotency: 'none',
  }),
  route({
    method: 'POST',
    path: '/provisioning/center-tenant',
    operationId: 'provisionCenter',
    summary: 'Create a center with its administrator, subscription, tenant mapping and settings',
    body: provisionInput,
    document: graphql(`
      mutation ($input: ProvisionCenterInput!) {
        provisionCenter(input: $input) {
          created
          center { ${CENTER} }
          membership { ${MEMBERSHIP} }
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
      'TOKEN_EXPIRED',
      'FORBIDDEN',
      'SUBDOMAIN_TAKEN',
      'DUPLICATE_PROVISIONING',
      'PROVISIONING_FAILED',
    ],
  }),
  route({
    method: 'GET',
    path: '/center/subscription',
    operationId: 'getSubscription',
    summary: "The current center's subscription",
    tag: 'Subscription',
    document: graphql(`query { centerSubscription { ${subscriptionSelection} } }`),
    project: ({ centerSubscription }) => ok(centerSubscription),
    response: success(subscriptionShape),
    errors: ['TOKEN_EXPIRED', 'INSUFFICIENT_ROLE', 'NO_MEMBERSHIP', 'NOT_FOUND'],
  }),
];
