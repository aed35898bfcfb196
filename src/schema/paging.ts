import { z } from 'zod';
import { type ListPage, MOST_COUNTED, type PageInfo } from '../lib/paging.ts';
import { builder } from './builder.ts';
import { onlyProperties } from './exposed.ts';

type Types = typeof builder.$inferSchemaTypes;

/** The position in a page-numbered list; REST shows it as `pagination`. The console uses connections instead. */
export const Pagination = builder.objectRef<PageInfo>('Pagination').implement({
  description: 'The position in a list that is read by page number.',
  fields: onlyProperties({
    page: ['Int', 'The number of this page, from 1.'],
    limit: ['Int', 'The maximum number of items per page, 1 to 100.'],
    total: ['Int', 'How many items the whole list has, with its filters applied.'],
    totalPages: ['Int', 'How many pages the list has at this limit; 0 if it is empty.'],
    hasMore: ['Boolean', 'Whether there are items after this page.'],
  }),
});

const positive = z.int().min(1).nullish();

/** The arguments of page-numbered lists. */
export const pageArgument = {
  description: 'The number of the page to return, from 1. Default: 1.',
  validate: positive,
};
export const limitArgument = {
  description: 'Items per page; more than 100 counts as 100. Default: 50.',
  validate: positive,
};

/** The arguments of a plain list, which returns `most` items at most. */
export const listLimit = (most: number) => ({
  description: `The maximum number of items, at most ${most}. Default: ${most}.`,
  validate: positive,
});
export const listOffset = {
  description: 'The number of items to skip. Default: 0.',
  validate: z.int().min(0).nullish(),
};

interface AskedPart {
  limit?: number | null | undefined;
  offset?: number | null | undefined;
}

export const listPage = ({ limit, offset }: AskedPart, most: number): ListPage => ({
  take: Math.min(limit ?? most, most),
  skip: offset ?? 0,
});

/** The description of `totalCount` for lists without a stored total. */
const CAPPED_TOTAL = `How many there are in all, as the list is filtered; counting stops at ${MOST_COUNTED}.`;

/** Options of a connection with the field `totalCount`. The result of its resolver counts, only if the field is requested. */
export const counted = (description = CAPPED_TOTAL) => ({
  fields: <Connection>(t: PothosSchemaTypes.ObjectFieldBuilder<Types, Connection>) => ({
    totalCount: t.int({
      description,
      resolve: (connection) => (connection as { totalCount(): Promise<number> }).totalCount(),
    }),
  }),
});
