import {
  type DocumentNode,
  GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  print,
  validate,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../api/request-context.ts';
import { type AccessRule, checkAccess } from '../domain/access.ts';
import { accessRuleOf } from './internals/pothos.ts';

/** Rejects callers who may not run the document, without running it. */
export function accessCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
): (context: RequestContext) => void {
  const rules = accessRules(schema, document);
  return ({ principal }) => {
    for (const rule of rules) checkAccess(principal, rule);
  };
}

/** Who may run a document: the rules of all its root fields must admit the caller. */
export function accessRules(schema: GraphQLSchema, document: DocumentNode): AccessRule[] {
  const operation = getOperationAST(document)!;
  const fields = schema.getRootType(operation.operation)!.getFields();
  return operation.selectionSet.selections.map((selection) => {
    const name = selection.kind === Kind.FIELD ? selection.name.value : '';
    const rule = accessRuleOf(fields[name]);
    if (!rule) throw new Error(`${name} does not say who may use it, in\n${print(document)}`);
    return rule;
  });
}

/** Compiling takes milliseconds, so each document is compiled once per process. */
const compiled = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, CompiledQuery>>();

/** Throws if the document does not match the schema. */
export function compileDocument(schema: GraphQLSchema, document: DocumentNode): CompiledQuery {
  const known = compiled.get(schema) ?? new WeakMap<DocumentNode, CompiledQuery>();
  compiled.set(schema, known);
  const query = known.get(document) ?? compile(schema, print(document));
  known.set(document, query);
  return query;
}

/** Parsed again from the text, because gql.tada's parser omits members that graphql-jit expects. */
function compile(schema: GraphQLSchema, source: string): CompiledQuery {
  const document = parse(source);
  const [fault] = validate(schema, document);
  if (fault) throw new Error(`${fault.message} in\n${source}`);
  const query = compileQuery(...withoutOrder(schema, document), undefined, { customJSONSerializer: false });
  if (!isCompiledQuery(query)) throw new Error(`cannot compile\n${source}`);
  return query;
}

/**
 * Turns a mutation with one field into a query whose root type is the mutation type. graphql-jit keeps the order of several
 * fields with functions assigned to its context, which stay in old space with everything they refer to until the next full
 * collection (docs/decisions/0010-short-lived-garbage.md). A single field needs no order.
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
