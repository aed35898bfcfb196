import { type Brand, brandsOf } from '../../domain/branding/brand.ts';
import type { Context } from '../../domain/context.ts';
import { makeLoader } from '../batched-load.ts';
import { builder } from '../builder.ts';
import { Center } from '../centers/center.ts';
import { properties } from '../exposed.ts';

export const BrandRef = builder.objectRef<Brand>('Brand').implement({
  description: "How the pages of a center look: the partner's branding, refined by the center's own.",
  fields: (t) => ({
    ...properties(t, {
      name: [
        'String?',
        'The name shown in place of the name of the service; null for the name of the service.',
      ],
      tagline: ['String?', 'One line under the name, at most 120 characters; null for none.'],
    }),
    shades: t.stringList({
      nullable: true,
      description:
        'Ten shades of the main color, light to dark, adjusted for readable text; null for the default.',
      resolve: ({ colors }) => colors?.shades ?? null,
    }),
    logo: t.string({
      nullable: true,
      description: 'The path of the logo on this service; null without one, or if it is on another server.',
      resolve: ({ logo, centerDomain }) => (logo ? `/brand/${centerDomain}/logo` : null),
    }),
  }),
});

const brandOf = makeLoader(async ({ app }: Context, ids: string[]) => {
  const { db, config } = app;
  const brands = await brandsOf(db.declared('acrossTenants'), ids.map(Number), config.enforcePlanFeatures);
  return new Map([...brands].map(([id, brand]) => [String(id), brand]));
});

builder.objectField(Center, 'brand', (t) =>
  t.field({
    type: BrandRef,
    nullable: true,
    description: 'How the pages of the center look; null if the center no longer exists.',
    complexity: 2,
    resolve: async ({ id }, _, ctx) => (await brandOf(ctx, String(id))) ?? null,
  }),
);
