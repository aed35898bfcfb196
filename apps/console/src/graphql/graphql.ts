import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/introspection.d.ts';

/** Documents typed against schema.graphql: their text determines variables and results. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { DateTime: string; Date: string; JSON: Json };
  disableMasking: true;
}>();

export type JsonObject = { [member: string]: Json };
export type Json = null | boolean | number | string | Json[] | JsonObject;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export type { ResultOf, VariablesOf } from 'gql.tada';
