import { type DocumentNode, execute, type GraphQLSchema, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../api/request-context.ts';
import { maskedError } from './errors.ts';
import { asksAboutSchema } from './introspection.ts';
import type { GraphQLServer } from './yoga.ts';

/** What a GraphQL caller posts. */
interface Posted {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

/** The JSON of the answer; null where the request is one for Yoga. */
export type DirectGraphQL = (posted: unknown, context: RequestContext) => Promise<string | null>;

const KEPT_CHARACTERS = 4_000_000;
const TAKEN = new Set(['query', 'variables', 'operationName']);

/**
 * The short way for the request that nearly all are: a sound query or mutation, posted as JSON, answered as JSON. Yoga's
 * HTTP pipeline costs several times what the execution does. Documents pass Yoga's own parser and validation, with all
 * limits, the first time they come. Whatever is odd about a request is left to Yoga, which has the words for it.
 */
export function makeDirectGraphQL(schema: GraphQLSchema, yoga: GraphQLServer): DirectGraphQL {
  const sound = new LRUCache<string, DocumentNode>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
  });

  function documentOf(query: string): DocumentNode | null {
    const known = sound.get(query);
    if (known) return known;
    const { parse, validate } = yoga.getEnveloped({});
    try {
      const document: DocumentNode = parse(query);
      if (validate(schema, document).length > 0) return null;
      sound.set(query, document);
      return document;
    } catch {
      return null;
    }
  }

  return async (posted, context) => {
    if (!isPlain(posted)) return null;
    const document = documentOf(posted.query);
    const operation = document && getOperationAST(document, posted.operationName);
    if (!operation || operation.operation === 'subscription') return null;
    if (context.principal.kind === 'anonymous' && asksAboutSchema(document)) return null;
    const { data, errors } = await execute({
      schema,
      document,
      contextValue: context,
      variableValues: posted.variables,
      operationName: posted.operationName,
    });
    // Without data nothing has run: the variables do not fit.
    if (data === undefined) return null;
    if (!errors) return JSON.stringify({ data });
    const { log } = context.app;
    return JSON.stringify({ errors: errors.map((error) => maskedError(error, log)), data });
  };
}

function isPlain(posted: unknown): posted is Posted {
  if (typeof posted !== 'object' || posted === null || Array.isArray(posted)) return false;
  const { query, variables, operationName } = posted as Record<string, unknown>;
  return (
    typeof query === 'string' &&
    typeof (variables ?? {}) === 'object' &&
    !Array.isArray(variables) &&
    typeof (operationName ?? '') === 'string' &&
    Object.keys(posted).every((key) => TAKEN.has(key))
  );
}
