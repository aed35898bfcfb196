import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/introspection.d.ts';

/** Documents typed against schema.graphql: their text determines variables and results. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; Date: string; JSON: Json };
  disableMasking: true;
}>();

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

export type { ResultOf, VariablesOf } from 'gql.tada';
