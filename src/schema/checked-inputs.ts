import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  unwrapInputFieldType,
} from '@pothos/core';
import type { RequestContext } from '../api/request-context.ts';

/**
 * A REST row has checked its body with the very schema that its input type is validated with, to name faults in the
 * row's own terms. What came through is not checked a second time.
 */
class CheckedInputsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const schemas = Object.values(field.args).flatMap((arg) => this.schemasOf(arg));
    const [schema] = schemas;
    if (schemas.length !== 1) return field;
    // The validation plugin has already had its turn: these mappers are its checks.
    const argMappers = field.argMappers?.map(
      (check): typeof check =>
        (args, context, info) =>
          (context as RequestContext).bodyCheckedBy === schema ? args : check(args, context, info),
    );
    return { ...field, ...(argMappers && { argMappers }) };
  }

  private schemasOf(arg: PothosOutputFieldConfig<Types>['args'][string]): unknown[] {
    const type = this.buildCache.getTypeConfig(unwrapInputFieldType(arg.type));
    const own = (arg.pothosOptions as { validate?: unknown }).validate;
    const ofType = (type.pothosOptions as { validate?: unknown }).validate;
    return [own, ofType].filter((schema) => schema !== undefined);
  }
}

declare global {
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      checkedInputs: CheckedInputsPlugin<Types>;
    }
  }
}

const checkedInputs = 'checkedInputs';
SchemaBuilder.registerPlugin(checkedInputs, CheckedInputsPlugin);
export default checkedInputs;
