import { RequestCache } from '@pothos/plugin-scope-auth';
import {
  type DocumentNode,
  GraphQLError,
  GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../api/request-context.ts';
import { type AccessRule, checkAccess } from '../domain/access.ts';
import { traced } from '../lib/tracing.ts';

/** A document that was parsed, validated and compiled once and can now be run for any caller. */
export type PreparedDocument = (
  variables: Record<string, unknown>,
  context: RequestContext,
) => Promise<Record<string, unknown>>;

/** Refuses callers who may not run the document, without running it. */
export function accessCheck(schema: GraphQLSchema, source: string): (context: RequestContext) => void {
  const rules = accessRules(schema, source);
  return ({ principal }) => {
    for (const rule of rules) checkAccess(principal, rule);
  };
}

/** Who may run a document: the rules of its root fields, all of which must let the caller in. */
function accessRules(schema: GraphQLSchema, source: string): AccessRule[] {
  const operation = getOperationAST(parse(source))!;
  const fields = schema.getRootType(operation.operation)!.getFields();
  return operation.selectionSet.selections.map((selection) => {
    const name = selection.kind === Kind.FIELD ? selection.name.value : '';
    const options = fields[name]?.extensions['pothosOptions'] as { authScopes?: { access?: AccessRule } };
    const rule = options?.authScopes?.access;
    if (!rule) throw new Error(`${name} does not say who may use it, in\n${source}`);
    return rule;
  });
}

/** Compiling costs milliseconds; a document is compiled once, however many servers a process opens. */
const prepared = new WeakMap<GraphQLSchema, Map<string, PreparedDocument>>();

/** Throws at start when the document does not fit the schema: a faulty route must not wait for its first caller. */
export function prepareDocument(schema: GraphQLSchema, source: string): PreparedDocument {
  const known = prepared.get(schema) ?? new Map<string, PreparedDocument>();
  prepared.set(schema, known);
  const document = known.get(source) ?? compile(schema, source);
  known.set(source, document);
  return document;
}

function compile(schema: GraphQLSchema, source: string): PreparedDocument {
  const document: DocumentNode = parse(source);
  const faults = validate(schema, document);
  if (faults.length > 0) throw new Error(`${faults[0]!.message} in\n${source}`);
  const compiled = compileQuery(...withoutOrder(schema, document), undefined, {
    customJSONSerializer: false,
  });
  if (!isCompiledQuery(compiled)) throw new Error(`cannot compile\n${source}`);
  const name = `graphql ${nameOf(document)}`;
  return async (variables, context) => {
    const result = await traced(
      () => ({ name, kind: 'internal' }),
      async () => compiled.query({}, context, variables),
    );
    forgetCall(context);
    const error = result.errors?.[0];
    if (error) throw error instanceof GraphQLError ? error : new GraphQLError(String(error));
    return result.data as Record<string, unknown>;
  };
}

/**
 * A mutation of one field, as a query whose root type is that of the mutations. graphql-jit keeps the order of several fields
 * by functions that it assigns to its own context, and those live in old space with all that hangs on them until the next
 * full collection (docs/decisions/0010-short-lived-garbage.md). One field has no order to keep.
 */
function withoutOrder(schema: GraphQLSchema, document: DocumentNode): [GraphQLSchema, DocumentNode] {
  const { operation, selectionSet } = getOperationAST(document)!;
  if (operation !== OperationTypeNode.MUTATION || selectionSet.selections.length !== 1)
    return [schema, document];
  const definitions = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? { ...definition, operation: OperationTypeNode.QUERY }
      : definition,
  );
  return [mutationsAsQueries(schema), { ...document, definitions }];
}

const asQueries = new WeakMap<GraphQLSchema, GraphQLSchema>();

function mutationsAsQueries(schema: GraphQLSchema): GraphQLSchema {
  const known =
    asQueries.get(schema) ??
    new GraphQLSchema({
      ...schema.toConfig(),
      query: schema.getMutationType()!,
      mutation: null,
      subscription: null,
      assumeValid: true,
    });
  asQueries.set(schema, known);
  return known;
}

/**
 * Lets go of what the authorization plugin noted about a call. It does so in a WeakMap from the call's context to notes that
 * refer to that context, which only a full collection can tell from something in use.
 */
export function forgetCall(context: RequestContext): void {
  RequestCache.clearForContext(context);
}

/** What an operation is called: its own name, or that of what it asks for. */
export function nameOf(document: DocumentNode, operationName?: string | null): string {
  const operation = getOperationAST(document, operationName);
  const [first] = operation?.selectionSet.selections ?? [];
  return operation?.name?.value ?? (first?.kind === Kind.FIELD ? first.name.value : 'operation');
}
