import { BREAK, type DocumentNode, type GraphQLSchema, getOperationAST, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { charge } from '../api/rates.ts';
import type { RequestContext } from '../api/request-context.ts';
import { DomainError } from '../lib/errors.ts';
import { operationCost } from './request-cost.ts';

interface Operation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  contextValue: RequestContext;
}

/** In production only authenticated callers see the schema, and every operation counts by its cost. */
async function admit({ schema, document, operationName, contextValue: context }: Operation): Promise<void> {
  const { production } = context.app.config;
  if (production && context.principal.kind === 'anonymous' && asksAboutSchema(document)) {
    throw new DomainError('UNAUTHORIZED', 'The schema is shown to signed-in callers only.');
  }
  const operation = getOperationAST(document, operationName);
  if (operation) await charge(context, operationCost(schema, document, operation) - 1);
}

/** Admits operations written by callers. Those of REST rows and tools were counted when the request was opened. */
const hook = ({ args }: { args: object }) => {
  const operation = args as Operation;
  return operation.contextValue.ownQuery ? undefined : admit(operation);
};

/** A rejected operation ends with the error and is not executed. */
export const admission: Pick<Plugin, 'onExecute' | 'onSubscribe'> = { onExecute: hook, onSubscribe: hook };

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document queries the schema. `__typename` only names the type of a result. */
function asksAboutSchema(document: DocumentNode): boolean {
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
