import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
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

/** Turns away whoever may not run the document, without running it. */
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
  const compiled = compileQuery(schema, document, undefined, { customJSONSerializer: false });
  if (!isCompiledQuery(compiled)) throw new Error(`cannot compile\n${source}`);
  const name = `graphql ${nameOf(document)}`;
  return async (variables, context) => {
    const result = await traced(
      () => ({ name, kind: 'internal' }),
      async () => compiled.query({}, context, variables),
    );
    const error = result.errors?.[0];
    if (error) throw error instanceof GraphQLError ? error : new GraphQLError(String(error));
    return result.data as Record<string, unknown>;
  };
}

/** What an operation is called: its own name, or that of what it asks for. */
export function nameOf(document: DocumentNode, operationName?: string | null): string {
  const operation = getOperationAST(document, operationName);
  const [first] = operation?.selectionSet.selections ?? [];
  return operation?.name?.value ?? (first?.kind === Kind.FIELD ? first.name.value : 'operation');
}
