import { type DocumentNode, execute, type GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { RequestContext } from '../api/request-context.ts';
import { cutFaults } from '../lib/errors.ts';
import { traced } from '../lib/tracing.ts';
import { admitOperation } from './admission.ts';
import { maskedError } from './errors.ts';
import { forgetCall, nameOf } from './execute.ts';
import type { GraphQLServer } from './yoga.ts';

/** What a GraphQL caller posts. */
interface Posted {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

interface DirectAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** Null where the request is one for Yoga. */
type DirectGraphQL = (posted: unknown, context: RequestContext) => Promise<DirectAnswer | null>;

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
    const { log } = context.app;
    try {
      await admitOperation(schema, document, posted.operationName, context);
    } catch (error) {
      return withErrors(undefined, [maskedError(error, log)]);
    }
    const { data, errors } = await traced(
      () => ({ name: `graphql ${nameOf(document, posted.operationName)}`, kind: 'internal' }),
      async () =>
        execute({
          schema,
          document,
          contextValue: context,
          variableValues: posted.variables,
          operationName: posted.operationName,
        }),
    );
    forgetCall(context);
    // Without data nothing has run: the variables do not fit.
    if (data === undefined) return null;
    if (!errors) return { status: 200, headers: {}, body: JSON.stringify({ data }) };
    return withErrors(
      data,
      cutFaults([...errors]).map((error) => maskedError(error, log)),
    );
  };
}

interface HttpWord {
  status?: number;
  headers?: Record<string, string>;
}

/** What an error says about the status of the answer is for the answer, not for its body. */
function withErrors(data: unknown, errors: GraphQLError[]): DirectAnswer {
  let status = 200;
  const headers = {};
  for (const { extensions } of errors) {
    const http = extensions['http'] as HttpWord | undefined;
    delete extensions['http'];
    status = Math.max(status, http?.status ?? 200);
    Object.assign(headers, http?.headers);
  }
  return { status, headers, body: JSON.stringify({ errors, data }) };
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
