import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { RequestContext } from '../api/request-context.ts';

const VALIDATION = '@pothos/plugin-validation';

/**
 * An input that a REST row has checked with the very schema that the field would check it with is not checked again. It must
 * stand in the list of plugins right before the one that validates: from the end of that list they are asked.
 */
class ValidateOncePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const schema = this.#onlySchemaOf(field);
    const validate = field.argMappers?.at(-1);
    if (!schema || !validate) return field;
    const unlessValidated: typeof validate = (args, context, info) =>
      (context as RequestContext).validatedWith === schema ? args : validate(args, context, info);
    return { ...field, argMappers: [...field.argMappers!.slice(0, -1), unlessValidated] };
  }

  /** What the input of a field is checked with, where that is all that is checked about its arguments. */
  #onlySchemaOf(field: PothosOutputFieldConfig<Types>): unknown {
    const schemas = Object.values(field.args).flatMap((arg) => {
      const own = (arg.pothosOptions as { validate?: unknown }).validate;
      const named = arg.type.kind === 'InputObject' ? this.buildCache.getTypeConfig(arg.type.ref) : null;
      const { schemas: ofType = [] } = (named?.extensions?.[VALIDATION] ?? {}) as { schemas?: unknown[] };
      return own === undefined ? ofType : [own, ...ofType];
    });
    return schemas.length === 1 ? schemas[0] : undefined;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      validateOnce: ValidateOncePlugin<Types>;
    }
  }
}

const validateOnce = 'validateOnce';
SchemaBuilder.registerPlugin(validateOnce, ValidateOncePlugin);
export default validateOnce;
