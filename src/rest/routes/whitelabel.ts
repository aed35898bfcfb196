import { z } from 'zod';
import { doc, example } from '../../lib/doc.ts';
import { graphql } from '../../schema/document.ts';
import { ok } from '../envelope.ts';
import { routesOf } from '../route.ts';
import { success } from '../schemas.ts';

const json = z.record(z.string(), z.unknown());
const config = z
  .object({
    centerDomain: z.string().meta(example('demo-rehab')),
    name: z.string().meta(example('Demo Rehabilitation')),
    branding: json.meta(example({ primaryColor: '#0b7285' })),
    features: json.meta(example({ booking: true })),
  })
  .meta({ id: 'WhiteLabelConfig' });

const route = routesOf({ tag: 'White label', auth: 'public' });

export const whiteLabelRoutes = [
  route({
    method: 'GET',
    path: '/whitelabel/{domain}/config',
    operationId: 'getWhiteLabelConfig',
    summary: 'How the center behind a domain looks and what it offers',
    params: z.object({
      domain: z.string().min(1).meta(doc('The domain slug or the custom domain of a center.', 'demo-rehab')),
    }),
    document: graphql(`
      query ($domain: String!) { config: whiteLabelConfig(domain: $domain) { centerDomain name branding features } }`),
    variables: ({ params }) => params,
    project: ({ config }) => ok(config),
    response: success(config),
    errors: ['CENTER_NOT_FOUND', 'CENTER_SUSPENDED'],
  }),
];
