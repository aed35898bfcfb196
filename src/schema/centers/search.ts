import { type FoundCenter, searchCenters, searchCentersInput } from '../../domain/centers/search.ts';
import type { Page } from '../../lib/paging.ts';
import { builder } from '../builder.ts';
import { Vertical } from '../enums.ts';
import { Pagination } from '../paging.ts';
import { CenterInfo } from './center.ts';

export { searchCentersInput };

const CenterSearchPage = builder.objectRef<Page<FoundCenter>>('CenterSearchPage').implement({
  description: 'One page of the centers that were found.',
  fields: (t) => ({
    items: t.field({
      type: [CenterInfo],
      description: 'The centers of this page, best match first.',
      resolve: ({ items }) => items,
    }),
    info: t.field({ type: Pagination, description: 'Where the page stands.', resolve: ({ info }) => info }),
  }),
});

const SearchCentersInput = builder
  .inputType('SearchCentersInput', {
    description: 'What to look for.',
    fields: (t) => ({
      query: t.string({ description: 'Words that the center resembles; typing errors are forgiven.' }),
      vertical: t.field({ type: Vertical, description: 'Only centers of this line of business.' }),
      page: t.int({ description: 'Which page, from 1.' }),
      limit: t.int({ description: 'How many on a page: 50 unless given, 100 at most.' }),
    }),
  })
  .validate(searchCentersInput);

builder.queryField('searchCenters', (t) =>
  t.field({
    type: CenterSearchPage,
    description: 'Finds open centers, best match first; without words it lists them by name.',
    authScopes: { access: { public: true } },
    args: { input: t.arg({ type: SearchCentersInput, required: true, description: 'What to look for.' }) },
    resolve: (_, { input }, ctx) => searchCenters(ctx, input),
  }),
);
