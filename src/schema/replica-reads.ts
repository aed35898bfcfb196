import { type DocumentNode, type GraphQLSchema, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../api/request-context.ts';
import { readFromReplica } from '../domain/context.ts';

const known = new WeakMap<DocumentNode, boolean>();

/**
 * Whether a document has a single operation whose root fields a replica may all answer. A field declares it with
 * `extensions: { fromReplica: true }`: lists, searches, statistics, verifications and exports do. Everything else reads from the
 * primary: the caller's identity, data that a write depends on, lookups by id, because a caller expects to find an id it was
 * just given, and subscriptions, which read rows as soon as they are announced.
 */
function mayReadFromReplica(schema: GraphQLSchema, document: DocumentNode): boolean {
  const before = known.get(document);
  if (before !== undefined) return before;
  const operation = getOperationAST(document);
  const fields = operation && schema.getRootType(operation.operation)!.getFields();
  const may =
    operation?.selectionSet.selections.every(
      (each) => each.kind === Kind.FIELD && fields![each.name.value]?.extensions['fromReplica'] === true,
    ) ?? false;
  known.set(document, may);
  return may;
}

interface Operation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  contextValue: RequestContext;
}

/** Records a mutation, and chooses where any other operation reads. */
function choose({ args }: { args: object }): undefined {
  const { schema, document, operationName, contextValue: context } = args as Operation;
  if (!context.app.db.replica) return;
  if (getOperationAST(document, operationName)?.operation === 'mutation') context.noteWrite();
  else if (context.mayLag && mayReadFromReplica(schema, document))
    readFromReplica(context, context.readAfter);
}

/** Every operation reads from the primary or the replica as a whole. */
export const chooseReads: Pick<Plugin, 'onExecute' | 'onSubscribe'> = {
  onExecute: choose,
  onSubscribe: choose,
};
