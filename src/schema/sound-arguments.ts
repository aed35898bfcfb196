import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { RequestContext } from '../api/request-context.ts';
import { validationError } from '../lib/errors.ts';
import { valueFault } from '../lib/json-faults.ts';
import { prismaCursorFault, prismaKeyOf } from './cursors.ts';

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/**
 * Rejects arguments that cannot be stored or looked up: NUL, broken Unicode, infinite numbers, values nested too deeply,
 * a cursor of another list. Then the validation plugin applies the rules of the input. REST rows apply the same zod objects
 * to the request before they run their document, so only cursors are checked for them here.
 */
class SoundArgumentsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (Object.keys(field.args).length === 0) return field;
    const key = prismaKeyOf(field.extensions);
    // The hooks of later plugins run first, so these are the mappers of the validation plugin.
    const validators = field.argMappers.map(
      (validate): (typeof field.argMappers)[number] =>
        (args, context, info) =>
          (context as RequestContext).ownQuery ? args : validate(args, context, info),
    );
    const check = (args: Record<string, unknown>, context: Types['Context']) => {
      const validated = (context as RequestContext).ownQuery;
      const fault = (validated ? null : valueFault(args)) ?? (key && prismaCursorFault(key, args));
      if (fault) throw validationError([fault]);
      return args;
    };
    return { ...field, argMappers: [check, ...validators] };
  }

  /** Only here is it known whose list it is. */
  override wrapResolve(resolve: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    const key = prismaKeyOf(field.extensions);
    if (key?.owner !== 'parent') return resolve;
    return (parent, args, context, info) => {
      const fault = prismaCursorFault(key, args as Record<string, unknown>, (parent as { id: string }).id);
      if (fault) throw validationError([fault]);
      return resolve(parent, args, context, info);
    };
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      soundArguments: SoundArgumentsPlugin<Types>;
    }
  }
}

const soundArguments = 'soundArguments';
SchemaBuilder.registerPlugin(soundArguments, SoundArgumentsPlugin);
export default soundArguments;
