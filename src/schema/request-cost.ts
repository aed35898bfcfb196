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

/** The cost of an export, which gathers a record, its proofs and its disclosures. */
export const EXPORT_COST = 2;
/** The share of a query's complexity that an export takes: ten fit into one request; thirty would delay other callers. */
export const EXPORT_COMPLEXITY = 900;
/** The cost of a verification, which reads chains from their first record. */
export const VERIFICATION_COST = 10;

/** A field declares its cost with `extensions: { cost }`; most declare none. */
interface Cost {
  /** Fields that cost nothing, including the fields below them. */
  plain: number;
  /** The total cost of the other fields. */
  costly: number;
}

const known = new WeakMap<OperationDefinitionNode, number>();

/** The cost of a GraphQL request: each root field counts once per alias, expensive fields count at any depth. */
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

/** The cost of a REST row. The document is ours, so reading two things at once is not a second request. */
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
