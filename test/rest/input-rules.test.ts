import {
  type GraphQLArgument,
  type GraphQLInputField,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  Kind,
} from 'graphql';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../src/rest/route.ts';
import { routes } from '../../src/rest/routes/index.ts';
import { schema } from '../../src/schema/index.ts';

/** The zod objects that the validation plugin applies to an argument and everything below it. */
function rulesOf({ extensions, type }: GraphQLArgument | GraphQLInputField): z.ZodType[] {
  const named = getNamedType(type);
  const below = isInputObjectType(named)
    ? [...declared(named.extensions), ...Object.values(named.getFields()).flatMap(rulesOf)]
    : [];
  return [...declared(extensions), ...below];
}

const declared = (extensions: object) =>
  (extensions as { '@pothos/plugin-validation'?: { schemas: z.ZodType[] } })['@pothos/plugin-validation']
    ?.schemas ?? [];

/** The rules of the arguments that the document of a row passes. */
function schemaRules({ document }: Route): { argument: string; rule: z.ZodType }[] {
  const operation = getOperationAST(document)!;
  const fields = schema.getRootType(operation.operation)!.getFields();
  return operation.selectionSet.selections.flatMap((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error('a row selects fields');
    const passed = selection.arguments?.map(({ name }) => name.value);
    return fields[selection.name.value]!.args.filter(({ name }) => passed?.includes(name)).flatMap(
      (argument) => rulesOf(argument).map((rule) => ({ argument: argument.name, rule })),
    );
  });
}

function unwrapped(rule: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault;
  return wraps ? unwrapped(rule.unwrap()) : rule;
}

const membersOf = (rule: z.ZodType | undefined): [string, z.core.$ZodType][] =>
  rule instanceof z.ZodObject ? Object.entries(rule.shape as z.core.$ZodShape) : [];

/** GraphQL's own type says as much. */
const isBareType = (rule: z.core.$ZodType) =>
  ['string', 'date', 'int'].some(
    (type) => JSON.stringify(rule._zod.def) === JSON.stringify(bare[type]!._zod.def),
  );
const bare: Record<string, z.ZodType> = { string: z.string(), date: z.date(), int: z.int() };

/** Whether the row has applied the rule, itself or member by member. Members that it does not accept cannot be sent. */
function applies(row: Route, rule: z.ZodType): boolean {
  const own = [row.params, row.query, row.body];
  const members = own.flatMap(membersOf);
  const rules = [
    ...own.filter((each) => each !== undefined),
    ...members.map(([, member]) => unwrapped(member)),
  ];
  // A described schema is a copy with the same definition.
  const definitions = new Set<unknown>(rules.map((each) => each._zod.def));
  const isApplied = (each: z.core.$ZodType) => definitions.has(unwrapped(each)._zod.def);
  if (isApplied(rule)) return true;
  const taken = new Set(members.map(([name]) => name));
  const below = membersOf(rule);
  return (
    below.length > 0 &&
    (rule._zod.def.checks ?? []).length === 0 &&
    below.every(
      ([name, member]) =>
        isApplied(member) ||
        isBareType(unwrapped(member)) ||
        (!taken.has(name) && z.safeParse(member, undefined).success),
    )
  );
}

/** Queries are text: rows have their own pattern for a positive number. */
const FROM_TEXT = ['page', 'limit'];

test.each(routes.map((row) => [`${row.method} ${row.path}`, row] as const))(
  '%s applies the validation rules of the input it passes on',
  (_, row) => {
    const missing = schemaRules(row).filter(
      ({ argument, rule }) => !(row.query && FROM_TEXT.includes(argument)) && !applies(row, rule),
    );
    expect(missing.map(({ argument }) => argument)).toEqual([]);
  },
);
