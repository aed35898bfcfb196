import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { RequestContext } from '../api/request-context.ts';
import { validationError } from '../lib/errors.ts';
import { valueFault } from '../lib/json-faults.ts';

/**
 * No argument of any field carries what cannot be kept or looked up: NUL, broken Unicode, numbers without end, values
 * nested too deeply. REST rows have had their input checked when it came.
 */
class SoundArgumentsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (Object.keys(field.args).length === 0) return field;
    const check = (args: Record<string, unknown>, context: Types['Context']) => {
      const fault = (context as RequestContext).ownQuery ? null : valueFault(args);
      if (fault) throw validationError([fault]);
      return args;
    };
    return { ...field, argMappers: [check, ...(field.argMappers ?? [])] };
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
