import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql';
import { schema as graphqlSchema } from '../../schema/index.ts';

/**
 * Response shapes take their descriptions from GraphQL: a property without a description has that of the field with the same name.
 * The type is the one that the shape names (`.meta({ graphqlType: 'SignedIn' })`), else the one with the name of the shape (its id).
 * Inside a property it is the type of its field. REST describes only what GraphQL does not have or names otherwise.
 */
declare module 'zod' {
  interface GlobalMeta {
    graphqlType?: string;
  }
}

/** Adds the descriptions to a JSON schema that zod generated, in place. */
export function addDescriptions(node: unknown, type: GraphQLNamedType | undefined): void {
  if (typeof node !== 'object' || node === null) return;
  const { graphqlType, properties = {}, items, anyOf = [] } = node as Shape;
  delete (node as Shape).graphqlType;
  const own = graphqlType === undefined ? type : typeNamed(graphqlType);
  if (graphqlType !== undefined && !own) throw new Error(`GraphQL has no type "${graphqlType}"`);
  const fields = isObjectType(own) ? own.getFields() : {};
  for (const [name, property] of Object.entries(properties)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    addDescriptions(property, field && getNamedType(field.type));
    const { examples, ...rest } = property;
    if (field?.description && !property['description']) {
      properties[name] = {
        ...rest,
        description: field.description,
        ...(examples !== undefined && { examples }),
      };
    }
  }
  for (const part of [items, ...anyOf]) addDescriptions(part, own);
}

interface Shape {
  graphqlType?: string;
  properties?: Record<string, Record<string, unknown>>;
  items?: unknown;
  anyOf?: unknown[];
}

export const typeNamed = (name: string) => graphqlSchema.getType(name);
