import {
  changePartnerSettings,
  partnerFeatures,
  partnerSettings,
  settingsPatch,
  whiteLabelConfig,
} from '../../domain/partners/settings.ts';
import { BrandRef } from '../branding/brand.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { CenterFeature } from '../features/features.ts';

const WhiteLabelConfig = builder
  .objectRef<Awaited<ReturnType<typeof whiteLabelConfig>>>('WhiteLabelConfig')
  .implement({
    description: 'Branding and features of a center.',
    fields: onlyProperties({
      centerDomain: ['String', 'The domain slug of the center.'],
      name: ['String', 'The name that people see.'],
      branding: ['JSON', 'The branding settings: name, tagline, colors and logo.'],
      features: ['JSON', 'Which features are on, by name.'],
      brand: [BrandRef, 'The part of the branding that the pages of this service show.'],
    }),
  });

builder.queryFields((t) => ({
  partnerSettings: t.field({
    type: 'JSON',
    description: "The partner's settings: branding, features and others.",
    authScopes: { access: { partner: 'any' } },
    resolve: (_, __, ctx) => partnerSettings(ctx),
  }),
  partnerFeatures: t.field({
    type: [CenterFeature],
    description:
      'The features that the partner can switch off for its centers, under `features` of its settings.',
    authScopes: { access: { partner: 'any' } },
    resolve: (_, __, ctx) => partnerFeatures(ctx),
  }),
  whiteLabelConfig: t.field({
    type: WhiteLabelConfig,
    description: 'Branding and features of the center behind a domain.',
    authScopes: { access: { public: true } },
    args: { domain: t.arg.string({ required: true, description: 'The domain slug or custom domain.' }) },
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
        .arg({
          type: 'JSON',
          required: true,
          description: 'The keys to set, with their values; null removes a key.',
        })
        .validate(settingsPatch),
    },
    resolve: (_, { patch }, ctx) => changePartnerSettings(ctx, patch),
  }),
);
