import { BREAK, type DocumentNode, GraphQLError, visit } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { Context } from '../domain/context.ts';

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

/** In production the schema is shown to those who have signed in, or hold a key. */
export const introspectionForCallers: Plugin<Context> = {
  onExecute({ args, setResultAndStopExecution }) {
    const { principal } = args.contextValue as Context;
    if (principal.kind !== 'anonymous' || !asksAboutSchema(args.document)) return;
    const message = 'The schema is shown to signed-in callers only.';
    setResultAndStopExecution({
      errors: [new GraphQLError(message, { extensions: { code: 'UNAUTHORIZED' } })],
    });
  },
};
