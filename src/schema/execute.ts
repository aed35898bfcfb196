import { type DocumentNode, execute, type GraphQLSchema, parse, validate } from 'graphql';
import type { Context } from '../domain/context.ts';

/** A document that was parsed and validated once and can now be run for any caller. */
export type PreparedDocument = (
  variables: Record<string, unknown>,
  context: Context,
) => Promise<Record<string, unknown>>;

/** Validating costs milliseconds; a document is validated once, however many servers a process opens. */
const prepared = new WeakMap<GraphQLSchema, Map<string, PreparedDocument>>();

/** Throws at start when the document does not fit the schema: a faulty route must not wait for its first caller. */
export function prepareDocument(schema: GraphQLSchema, source: string): PreparedDocument {
  const known = prepared.get(schema) ?? new Map<string, PreparedDocument>();
  prepared.set(schema, known);
  const document = known.get(source) ?? prepare(schema, source);
  known.set(source, document);
  return document;
}

function prepare(schema: GraphQLSchema, source: string): PreparedDocument {
  const document: DocumentNode = parse(source);
  const faults = validate(schema, document);
  if (faults.length > 0) throw new Error(`${faults[0]!.message} in\n${source}`);
  return async (variableValues, contextValue) => {
    const { data, errors } = await execute({ schema, document, contextValue, variableValues });
    if (errors) throw errors[0];
    return data as Record<string, unknown>;
  };
}
