import { centerViews } from '../../domain/centers/view.ts';
import { provisionCenter, provisionInput } from '../../domain/provisioning/provision.ts';
import { checkSubdomainInput, isSubdomainFree } from '../../domain/provisioning/subdomain.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { Vertical } from '../enums.ts';
import { MembershipSummary } from '../identity/me.ts';
import { CenterSubscription } from '../subscriptions/subscription.ts';

export { checkSubdomainInput, provisionInput };

const TenantMapping = builder.objectRef<{ lmsTenantId: string }>('TenantMapping').implement({
  description: "A center's tenant on the learning host.",
  fields: (t) => ({
    lmsTenantId: t.exposeID('lmsTenantId', { description: 'Names that tenant, as a UUID.' }),
  }),
});

const ProvisionedCenter = builder
  .objectRef<Awaited<ReturnType<typeof provisionCenter>>>('ProvisionedCenter')
  .implement({
    description: 'What an order for a center made.',
    fields: (t) => ({
      created: t.exposeBoolean('created', {
        description: 'False when the order had been carried out before and nothing was made now.',
      }),
      center: t.field({
        type: Center,
        description: 'The center that was ordered.',
        resolve: async ({ center }, _, ctx) => (await centerViews(ctx.app.db.pool, [center]))[0]!,
      }),
      membership: t.field({
        type: MembershipSummary,
        description: "Its administrator's membership.",
        resolve: ({ center, membership }) => ({
          ...membership,
          centerName: center.name,
          centerDomain: center.centerDomain,
        }),
      }),
      subscription: t.field({
        type: CenterSubscription,
        description: 'What the center pays for.',
        resolve: ({ subscription }) => subscription,
      }),
      tenantMapping: t.field({
        type: TenantMapping,
        description: 'Its tenant on the learning host.',
        resolve: ({ tenantMapping }) => tenantMapping,
      }),
    }),
  });

const ProvisionCenterInput = builder
  .inputType('ProvisionCenterInput', {
    description: 'An order that was paid for: the center it brings, and who runs it.',
    fields: (t) => ({
      centerName: t.string({ required: true, description: 'What the center is called.' }),
      subdomain: t.string({ required: true, description: 'The slug that shall name it in addresses.' }),
      planId: t.string({ required: true, description: 'The plan it begins with.' }),
      orderId: t.string({ required: true, description: 'Names the order; an order is carried out once.' }),
      adminActorId: t.string({ required: true, description: 'Who will administer it.' }),
      businessNumber: t.string({ description: "The organisation's registration number." }),
      vertical: t.field({ type: Vertical, description: "The line of business; left out, the plan's." }),
    }),
  })
  .validate(provisionInput);

builder.queryField('subdomainAvailable', (t) =>
  t.boolean({
    description: 'Whether a center could be created under this name.',
    authScopes: { access: { signedIn: true } },
    args: {
      subdomain: t.arg.string({
        required: true,
        description: 'The domain slug to try.',
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
    args: {
      input: t.arg({ type: ProvisionCenterInput, required: true, description: 'The order to carry out.' }),
    },
    resolve: (_, { input }, ctx) => provisionCenter(ctx, input),
  }),
);
