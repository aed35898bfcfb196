import { type DocumentNode, type ExecutionResult, type GraphQLError, getOperationAST } from 'graphql';
import { type JsonBody, jsonAnswer } from '../api/answer-size.ts';
import type { RequestContext } from '../api/request-context.ts';
import { limitFaults } from '../lib/errors.ts';
import type { Engine } from './engine.ts';
import { maskedError, shownErrors } from './errors.ts';

/** The body of a GraphQL request. */
interface Posted {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

interface DirectAnswer {
  status: number;
  headers: Record<string, string>;
  body: JsonBody;
}

/** Null if Yoga must handle the request. */
type DirectGraphQL = (posted: unknown, context: RequestContext) => Promise<DirectAnswer | null>;

const TAKEN = new Set(['query', 'variables', 'operationName']);

/**
 * Answers the usual request: a valid query or mutation, posted as JSON, answered as JSON. It runs the same plugins as Yoga
 * without Yoga's HTTP pipeline, which costs several times as much as the execution
 * (docs/decisions/0001-direct-graphql-handler.md). All other requests are left to Yoga, which has the error messages for them.
 */
export function makeDirectGraphQL({ schema, open }: Engine): DirectGraphQL {
  return async (posted, context) => {
    if (!isPlain(posted)) return null;
    const { query, operationName, variables } = posted;
    const { parse, validate, contextFactory, execute } = open(context);
    const document = validDocument(
      () => parse(query),
      (each) => validate(schema, each),
    );
    const operation = document && getOperationAST(document, operationName);
    if (!operation || operation.operation === 'subscription') return null;
    try {
      const contextValue = await contextFactory();
      const result = await execute({
        schema,
        document,
        contextValue,
        variableValues: variables,
        operationName,
      });
      // Without data the variables are invalid, and nothing was executed.
      return await answered(result, result.data === undefined ? 400 : 200, context);
    } catch (error) {
      return answered({ errors: [error as GraphQLError] }, 200, context);
    }
  };
}

function validDocument(
  parse: () => DocumentNode,
  validate: (document: DocumentNode) => readonly GraphQLError[],
): DocumentNode | null {
  try {
    const document = parse();
    return validate(document).length > 0 ? null : document;
  } catch {
    return null;
  }
}

async function answered(
  { data, errors }: ExecutionResult,
  status: number,
  context: RequestContext,
): Promise<DirectAnswer> {
  if (!errors) return { status, headers: {}, body: await jsonAnswer(context, { data }) };
  // A fault that a whole list shares comes once for each of its items.
  const masked = limitFaults([...errors]).map((error) => maskedError(error, context.app.log));
  return withErrors(data, shownErrors(masked, data !== undefined, context), status, context);
}

interface HttpExtension {
  /** The status applies only to the media type of GraphQL. */
  spec?: boolean;
  status?: number;
  headers?: Record<string, string>;
}

/** The `http` extension of an error sets the status and headers of the response and is not part of its body. */
async function withErrors(
  data: unknown,
  errors: GraphQLError[],
  least: number,
  context: RequestContext,
): Promise<DirectAnswer> {
  let status = least;
  const headers = {};
  for (const { extensions } of errors) {
    const http = extensions['http'] as HttpExtension | undefined;
    delete extensions['http'];
    if (!http?.spec) status = Math.max(status, http?.status ?? 200);
    Object.assign(headers, http?.headers);
  }
  return { status, headers, body: await jsonAnswer(context, { errors, data }) };
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
