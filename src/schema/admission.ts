import { BREAK, type DocumentNode, type GraphQLSchema, getOperationAST, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { charge } from '../api/rates.ts';
import type { RequestContext } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { maskedError } from './errors.ts';
import { operationCost } from './request-cost.ts';

/**
 * What every operation passes before it runs, on the short way (direct.ts) and in Yoga: in production the schema is shown
 * to known callers only, and the operation counts by its cost.
 */
export async function admitOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  context: RequestContext,
): Promise<void> {
  const { production } = context.app.config;
  if (production && context.principal.kind === 'anonymous' && asksAboutSchema(document)) {
    throw new DomainError('UNAUTHORIZED', 'The schema is shown to signed-in callers only.');
  }
  const operation = getOperationAST(document, operationName);
  if (operation) await charge(context, operationCost(schema, document, operation) - 1);
}

interface Arguments {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null;
  /** Yoga's own, which holds ours. */
  contextValue: { context: RequestContext };
}

/** The same as a plugin: a refused operation answers with the error and does not run. */
export const admission: Plugin = {
  onExecute: async ({ args, setResultAndStopExecution }) => {
    const refused = await refusalOf(args as unknown as Arguments);
    if (refused) setResultAndStopExecution({ errors: [refused] });
  },
  onSubscribe: async ({ args, setResultAndStopExecution }) => {
    const refused = await refusalOf(args as unknown as Arguments);
    if (refused) setResultAndStopExecution({ errors: [refused] });
  },
};

async function refusalOf({ schema, document, operationName, contextValue: { context } }: Arguments) {
  try {
    await admitOperation(schema, document, operationName, context);
    return null;
  } catch (error) {
    return maskedError(error, context.app.log);
  }
}

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document asks what the schema holds. `__typename` says only what an answer is made of. */
export function asksAboutSchema(document: DocumentNode): boolean {
  const before = known.get(document);
  if (before !== undefined) return before;
  let asks = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      asks = true;
      return BREAK;
    },
  });
  known.set(document, asks);
  return asks;
}
