/**
 * What src/schema uses of Pothos beyond its documented API. `test/schema/internals.test.ts` fails if a version changes any of it.
 */
import type { PothosOutputFieldConfig, SchemaTypes } from '@pothos/core';
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
