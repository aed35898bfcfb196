import SchemaBuilder, {
  BasePlugin,
  createContextCache,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../api/request-context.ts';
import { loadsRows } from './internals/pothos.ts';

type Path = GraphQLResolveInfo['path'];
type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

interface Link {
  path: Path;
  below: Links;
}
type Links = Map<string | number, Link>;

const linksOf = createContextCache((): Links => new Map());

/** The shared path link for this place in the result. */
function linkOf(context: object, { prev, key, typename }: Path): Link {
  const above = prev && linkOf(context, prev);
  const siblings = above ? above.below : linksOf(context);
  const link = siblings.get(key) ?? { path: { prev: above?.path, key, typename }, below: new Map() };
  siblings.set(key, link);
  return link;
}

/**
 * The Prisma plugin identifies loaded rows by the identity of the links of `info.path`. graphql-js shares these links among
 * the fields of an object. graphql-jit, which runs our own queries, creates new ones for every field, so each row below a
 * relation would be read again. These fields therefore get shared links.
 */
class SharedPathsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    if (!loadsRows(field)) return resolve;
    return (parent, args, context, info) =>
      (context as RequestContext).ownQuery
        ? resolve(parent, args, context, { ...info, path: linkOf(context, info.path).path })
        : resolve(parent, args, context, info);
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      sharedPaths: SharedPathsPlugin<Types>;
    }
  }
}

const sharedPaths = 'sharedPaths';
SchemaBuilder.registerPlugin(sharedPaths, SharedPathsPlugin);
export default sharedPaths;
