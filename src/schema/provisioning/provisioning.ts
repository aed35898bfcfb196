import { centerViews } from '../../domain/centers/view.ts';
import { provisionCenter, provisionInput } from '../../domain/provisioning/provision.ts';
import { checkSubdomainInput, isSubdomainFree } from '../../domain/provisioning/subdomain.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { Vertical } from '../enums.ts';
import { onlyProperties, properties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';
import { MembershipSummary } from '../memberships/summary.ts';
import { CenterSubscription } from '../subscriptions/subscription.ts';

const TenantMapping = builder.objectRef<{ lmsTenantId: string }>('TenantMapping').implement({
  description: 'Which tenant on the learning host belongs to a center.',
  fields: onlyProperties({ lmsTenantId: ['ID', 'The id of the tenant on the learning host, a UUID.'] }),
});

const ProvisionedCenter = builder
  .objectRef<Awaited<ReturnType<typeof provisionCenter>>>('ProvisionedCenter')
  .implement({
    description: 'The center that an order created, with everything that belongs to it.',
    fields: (t) => ({
      ...properties(t, {
        created: ['Boolean', 'False if the same order was executed before.'],
        subscription: [CenterSubscription, 'The subscription of the new center, with its plan.'],
        tenantMapping: [TenantMapping, 'Its tenant on the learning host.'],
      }),
      center: t.field({
        type: Center,
        description: 'The center that was ordered.',
        resolve: async ({ center }, _, ctx) => (await centerViews(ctx.app.db.pool, [center]))[0]!,
      }),
      membership: t.field({
        type: MembershipSummary,
        description: 'The membership of the administrator.',
        resolve: ({ center, membership }) => ({
          ...membership,
          centerName: center.name,
          centerDomain: center.centerDomain,
        }),
      }),
    }),
  });

const ProvisionCenterInput = inputType('ProvisionCenterInput', provisionInput, {
  description: 'A paid order for a center and its administrator.',
  types: { vertical: Vertical },
});

builder.queryField('subdomainAvailable', (t) =>
  t.boolean({
    description: 'Whether a domain slug is available.',
    authScopes: { access: { signedIn: true } },
    args: {
      subdomain: t.arg.string({
        required: true,
        description: 'The domain slug to check: 3 to 30 lowercase letters, digits or hyphens.',
        validate: checkSubdomainInput.shape.subdomain,
      }),
    },
    resolve: (_, { subdomain }, ctx) => isSubdomainFree(ctx, subdomain),
  }),
);

builder.mutationField('provisionCenter', (t) =>
  t.field({
    type: ProvisionedCenter,
    description: 'Creates a center with its administrator, subscription, tenant mapping and settings.',
    authScopes: { access: { signedIn: true } },
    args: inputArg(ProvisionCenterInput, 'The order: plan, center and administrator.'),
    resolve: (_, { input }, ctx) => provisionCenter(ctx, input),
  }),
);
