import { type DocumentDecoration, initGraphQLTada } from 'gql.tada';
import type { DocumentNode } from 'graphql';
import type { introspection } from './generated/introspection.d.ts';

/** The service's own documents, typed against schema.graphql: variables and result are inferred from the text. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  // biome-ignore lint/suspicious/noExplicitAny: the schema does not say what a JSON value holds; the row's response does.
  scalars: { DateTime: string; Date: string; JSON: any };
  disableMasking: true;
}>();

export type TypedDocument<Data, Variables> = DocumentNode & DocumentDecoration<Data, Variables>;
