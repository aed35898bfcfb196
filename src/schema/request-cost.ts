import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** What an export counts as: it gathers a record, its proofs and its disclosures. */
export const EXPORT_COST = 2;
/** How much of a query's complexity an export takes: ten fit into one request, thirty would hold up other callers. */
export const EXPORT_COMPLEXITY = 900;
/** What a verification counts as: it walks chains from their first record on. */
export const VERIFICATION_COST = 10;

/** A field says its cost by `extensions: { cost }`; most say none. */
interface Cost {
  /** Fields that cost nothing, including what is below them. */
  plain: number;
  /** What the others cost together. */
  costly: number;
}

const known = new WeakMap<OperationDefinitionNode, number>();

/** What a GraphQL request counts as: each root field under each of its aliases, costly fields at any depth by their cost. */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): number {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const { plain, costly } = rootCost(schema, document, operation);
  const cost = Math.max(1, plain + costly);
  known.set(operation, cost);
  return cost;
}

/** What a REST row counts as. The document is ours, so reading two things at once is not a second request. */
export function rowCost(schema: GraphQLSchema, document: DocumentNode): number {
  return Math.max(1, rootCost(schema, document, getOperationAST(document)!).costly);
}

function rootCost(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Cost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  // Each fragment is computed once: fragments that spread each other twice would double the work at every level.
  const spread = new Map<string, Cost>();

  function fragmentCost(name: string): Cost {
    const { typeCondition, selectionSet } = fragments.get(name)!;
    const cost = spread.get(name) ?? costOf(schema.getType(typeCondition.name.value), selectionSet);
    spread.set(name, cost);
    return cost;
  }

  function fieldCost(type: GraphQLNamedType | undefined, { name, selectionSet }: FieldNode): Cost {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
    if (!field) return { plain: 0, costly: 0 }; // such as __typename
    const own = (field.extensions['cost'] as number | undefined) ?? 0;
    const costly = own + (selectionSet ? costOf(getNamedType(field.type), selectionSet).costly : 0);
    return { plain: costly === 0 ? 1 : 0, costly };
  }

  function costOf(type: GraphQLNamedType | undefined, { selections }: SelectionSetNode): Cost {
    const total: Cost = { plain: 0, costly: 0 };
    for (const each of selections) {
      const { plain, costly } =
        each.kind === Kind.FIELD
          ? fieldCost(type, each)
          : each.kind === Kind.FRAGMENT_SPREAD
            ? fragmentCost(each.name.value)
            : costOf(
                each.typeCondition ? schema.getType(each.typeCondition.name.value) : type,
                each.selectionSet,
              );
      total.plain += plain;
      total.costly += costly;
    }
    return total;
  }

  return costOf(schema.getRootType(operation.operation)!, operation.selectionSet);
}
