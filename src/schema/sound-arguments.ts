import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { RequestContext } from '../api/request-context.ts';
import { validationError } from '../lib/errors.ts';
import { valueFault } from '../lib/json-faults.ts';
import { mapArguments } from './internals/pothos.ts';

/**
 * Rejects arguments that cannot be stored or looked up: NUL, broken Unicode, infinite numbers, values nested too deeply.
 * Then the validation plugin applies the rules of the input. REST rows apply the same zod objects to the request before
 * they run their document, so their arguments are not checked again.
 */
class SoundArgumentsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (Object.keys(field.args).length === 0) return field;
    const check = (args: Record<string, unknown>) => {
      const fault = valueFault(args);
      if (fault) throw validationError([fault]);
      return args;
    };
    return mapArguments(field, (validators) =>
      [check, ...validators].map(
        (apply): (typeof validators)[number] =>
          (args, context, info) =>
            (context as RequestContext).ownQuery ? args : apply(args, context, info),
      ),
    );
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
