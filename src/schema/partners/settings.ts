import { changePartnerSettings, partnerSettings, settingsPatch } from '../../domain/partners/settings.ts';
import { whiteLabelConfig } from '../../domain/partners/white-label.ts';
import { builder } from '../builder.ts';

export { settingsPatch };

const WhiteLabelConfig = builder
  .objectRef<Awaited<ReturnType<typeof whiteLabelConfig>>>('WhiteLabelConfig')
  .implement({
    description: 'How a center looks and what it offers.',
    fields: (t) => ({
      centerDomain: t.exposeString('centerDomain', {
        description: 'The slug that names the center in addresses.',
      }),
      name: t.exposeString('name', { description: 'What it is called.' }),
      branding: t.expose('branding', { type: 'JSON', description: 'Colours, logo and the like.' }),
      features: t.expose('features', { type: 'JSON', description: 'What is switched on.' }),
    }),
  });

builder.queryFields((t) => ({
  partnerSettings: t.field({
    type: 'JSON',
    description: 'What the partner keeps: branding, features and whatever else.',
    authScopes: { access: { partner: 'any' } },
    resolve: (_, __, ctx) => partnerSettings(ctx),
  }),
  whiteLabelConfig: t.field({
    type: WhiteLabelConfig,
    description: 'How the center behind a domain looks and what it offers.',
    authScopes: { access: { public: true } },
    args: { domain: t.arg.string({ required: true, description: 'Its domain slug or custom domain.' }) },
    resolve: (_, { domain }, ctx) => whiteLabelConfig(ctx, domain),
  }),
}));

builder.mutationField('changePartnerSettings', (t) =>
  t.field({
    type: 'JSON',
    description:
      "Merges into the partner's settings key by key; null removes a key. Answers with the whole. `country` (ISO 3166, two " +
      'letters) decides which policies of a country hold in centers that name none.',
    authScopes: { access: { partner: 'admin' } },
    args: {
      patch: t
        .arg({ type: 'JSON', required: true, description: 'The keys to change.' })
        .validate(settingsPatch),
    },
    resolve: (_, { patch }, ctx) => changePartnerSettings(ctx, patch),
  }),
);
