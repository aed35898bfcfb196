import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from '../domain/context.ts';

/** A document that was parsed, validated and compiled once and can now be run for any caller. */
export type PreparedDocument = (
  variables: Record<string, unknown>,
  context: Context,
) => Promise<Record<string, unknown>>;

/** Throws at start when the document does not fit the schema: a faulty route must not wait for its first caller. */
export function prepareDocument(schema: GraphQLSchema, source: string): PreparedDocument {
  const document: DocumentNode = parse(source);
  const faults = validate(schema, document);
  if (faults.length > 0) throw new Error(`${faults[0]!.message} in\n${source}`);
  const compiled = compileQuery(schema, document, undefined, { customJSONSerializer: false });
  if (!isCompiledQuery(compiled)) throw new Error(`cannot compile\n${source}`);
  return async (variables, context) => {
    const result = await compiled.query({}, context, variables);
    const error = result.errors?.[0];
    if (error) throw error instanceof GraphQLError ? error : new GraphQLError(String(error));
    return result.data as Record<string, unknown>;
  };
}
