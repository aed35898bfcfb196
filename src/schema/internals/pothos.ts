/**
 * What src/schema uses of Pothos beyond its documented API. `test/schema/internals.test.ts` fails if a version changes any of it.
 */
import type { FieldMap, PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
import type { GraphQLField } from 'graphql';
import type { AccessRule } from '../../domain/access.ts';

/** The access rule in a field's options, or undefined. Pothos keeps the options in the extensions of the built field. */
export function accessRuleOf(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'> | undefined,
): AccessRule | undefined {
  const options = field?.extensions['pothosOptions'] as { authScopes?: { access?: AccessRule } } | undefined;
  return options?.authScopes?.access;
}

/** Whether the Prisma plugin loads rows for a field. It keeps the field's selection in the extensions. */
export const loadsRows = ({
  extensions,
}: {
  extensions?: Readonly<Record<string, unknown>> | null;
}): boolean => Boolean(extensions?.['pothosPrismaSelect']);

type ArgMapper<Types extends SchemaTypes> = PothosOutputFieldConfig<Types>['argMappers'][number];

/**
 * Replaces the functions that map a field's arguments before its resolver. The hooks of plugins listed later run first, so a
 * plugin finds those of the later ones: of the validation plugin, which comes last, its validators.
 */
export const mapArguments = <Types extends SchemaTypes>(
  field: PothosOutputFieldConfig<Types>,
  replace: (mappers: ArgMapper<Types>[]) => ArgMapper<Types>[],
): PothosOutputFieldConfig<Types> => ({ ...field, argMappers: replace(field.argMappers) });

/** A type by its name. Pothos finds every type by its name; its types allow that for scalars only. */
export const typeNamed = (name: string) => name as 'String';

/** Any builder of fields. The types of `expose` depend on its object, so they are checked where it is called. */
export interface Exposing {
  expose(name: never, options: never): FieldMap[string];
}

/** A builder of fields of Prisma's rows. */
export interface RowFields extends Exposing {
  model: string;
  variant(ref: never, options: never): { $inferType: unknown };
}

/** The rows of such a builder. The compiler fails to infer its model, but the result of one of its methods names the row. */
export type RowOf<Fields extends RowFields> = ReturnType<Fields['variant']>['$inferType'];
