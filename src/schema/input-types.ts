/**
 * GraphQL input types from zod schemas.
 *
 * The rules of an input are written once, as a zod schema next to the domain function that takes it. REST rows validate
 * bodies with this schema and describe it in openapi.json; this module makes the GraphQL input type from it. `inputType` is
 * for an argument of a field: the validation plugin applies the whole schema to it, and the resolver receives the schema's
 * output. `nestedInput` is for an object inside such an argument, which the schema of the argument covers already.
 *
 * What the schema says of a member becomes the field:
 * - A member that accepts `undefined` is nullable. A default appears in the type, unless `hideDefaults` is set.
 * - Text is `String`, a UUID `ID`, a day `Date`; numbers are `Int` or `Float`; a time is `DateTime`; a record or any other value
 *   is `JSON`. A list has the type of its items.
 * - The description is that of the schema (`.describe('…')` or `.meta(doc('…', example))`).
 * - The members of an intersection are those of both sides. A member of a union is required if every option requires it.
 *
 * zod has no names for types, so `types` gives those that GraphQL needs: enumerations (without one, a value is a `String`), nested
 * inputs, and `ID` for ids of any form. `JSON` takes an object or a list as a whole. A type that does not fit the schema does
 * not compile. `descriptions` replaces a description where REST has another one.
 */
import type { InputFieldRef, InputRef, InputType } from '@pothos/core';
import { z } from 'zod';
import { builder } from './builder.ts';

type Types = typeof builder.$inferSchemaTypes;
type ObjectRef<Value> = PothosSchemaTypes.InputObjectRef<Types, Value>;

type Item<Value> = [NonNullable<Value>] extends [readonly (infer Each)[]] ? Each : NonNullable<Value>;

/** The names of all members, and the values of one: in a union, those of every option. */
type Names<Value> = Value extends unknown ? keyof Value : never;
type ValueOf<Value, Name> = Value extends unknown ? (Name extends keyof Value ? Value[Name] : never) : never;

/** The GraphQL types that a member can have. */
type TypeOf<Value> = InputRef<Item<Value>> | ([Item<Value>] extends [string] ? 'ID' : 'JSON');

interface InputOptions<Value> {
  description: string;
  types?: { [Name in Names<Value>]?: TypeOf<ValueOf<Value, Name>> };
  descriptions?: { [Name in Names<Value>]?: string };
  /** Leaves the schema's defaults out of the type. */
  hideDefaults?: boolean;
}

/** The input type of an argument, validated by the schema. */
export function inputType<Schema extends z.ZodType<object>>(
  name: string,
  schema: Schema,
  options: InputOptions<z.input<Schema>>,
): ObjectRef<z.output<Schema>> {
  return declare(name, schema, options).validate<z.output<Schema>>(schema);
}

/** The input type of an object inside an argument. Optional members and the items of lists can be passed as they are. */
export function nestedInput<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  options: InputOptions<Item<z.input<Schema>>>,
): ObjectRef<Item<z.input<Schema>>> {
  return declare(name, schema, options) as ObjectRef<Item<z.input<Schema>>>;
}

/** The input type of an argument that is only an id. */
export function idInput(name: string, description: string, idDescription: string) {
  return inputType(name, z.object({ id: z.string().describe(idDescription) }), {
    description,
    types: { id: 'ID' },
  });
}

/** The required argument `input` of a field. */
export const inputArg = <Value>(type: ObjectRef<Value>, description: string) =>
  builder.args((t) => ({ input: t.field({ type, required: true, description }) }));

interface AnyOptions {
  description: string;
  types?: Record<string, InputType<Types> | undefined>;
  descriptions?: Record<string, string | undefined>;
  hideDefaults?: boolean;
}

function declare(name: string, schema: z.core.$ZodType, options: object): ObjectRef<unknown> {
  const { description, types = {}, descriptions = {}, hideDefaults = false } = options as AnyOptions;
  return builder.inputType(name, {
    description,
    fields: (t) => {
      const fields = membersOf(schema).map(([member, rule]): [string, InputFieldRef<Types, unknown>] => {
        const field = t.field({
          type: typeOf(rule, types[member], `${name}.${member}`),
          required: !z.safeParse(rule, undefined).success,
          description: descriptions[member] ?? descriptionOf(rule),
          ...(!hideDefaults && rule instanceof z.ZodDefault && { defaultValue: rule.def.defaultValue }),
        });
        return [member, field];
      });
      return Object.fromEntries(fields);
    },
  });
}

type Member = [name: string, rule: z.core.$ZodType];

function membersOf(schema: z.core.$ZodType): Member[] {
  const value = unwrapped(schema);
  if (value instanceof z.ZodArray) return membersOf(value.element);
  if (value instanceof z.ZodObject) return Object.entries(value.shape as z.core.$ZodShape);
  if (value instanceof z.ZodIntersection)
    return [...membersOf(value.def.left), ...membersOf(value.def.right)];
  if (!(value instanceof z.ZodUnion)) throw new Error(`${value._zod.def.type} has no members`);
  const options = value.options.map((option) => new Map(membersOf(option)));
  const names = new Set(options.flatMap((option) => [...option.keys()]));
  return [...names].map((name) => {
    const rules = options.flatMap((option) => option.get(name) ?? []);
    return [name, rules.length === options.length ? rules[0]! : z.optional(rules[0]!)];
  });
}

function typeOf(rule: z.core.$ZodType, given: InputType<Types> | undefined, path: string) {
  const value = unwrapped(rule);
  if (given === 'JSON') return given;
  if (!(value instanceof z.ZodArray)) return given ?? scalarOf(value, path);
  return [given ?? scalarOf(unwrapped(value.element), path)] as [InputType<Types>];
}

function scalarOf(value: z.core.$ZodType, path: string): InputType<Types> {
  const { def } = (value as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string': {
      const format = 'format' in def ? def.format : undefined;
      return format === 'guid' || format === 'uuid' ? 'ID' : format === 'date' ? 'Date' : 'String';
    }
    case 'enum':
      return 'String';
    case 'number':
      return 'format' in def && def.format === 'safeint' ? 'Int' : 'Float';
    case 'boolean':
      return 'Boolean';
    case 'date':
      return 'DateTime';
    case 'record':
    case 'unknown':
      return 'JSON';
    default:
      throw new Error(`${path} needs a GraphQL type: zod's ${def.type} has none`);
  }
}

/** The value that a caller sends, without what makes it optional or transforms it. */
function unwrapped(rule: z.core.$ZodType): z.core.$ZodType {
  return insideOf(rule) ? unwrapped(insideOf(rule)!) : rule;
}

function insideOf(rule: z.core.$ZodType): z.core.$ZodType | null {
  if (rule instanceof z.ZodOptional || rule instanceof z.ZodNullable || rule instanceof z.ZodDefault)
    return rule.unwrap();
  return rule instanceof z.ZodPipe ? rule.in : null;
}

/** The outermost description: `.optional()` and the like do not repeat it. */
function descriptionOf(rule: z.core.$ZodType): string | undefined {
  const inside = insideOf(rule);
  return z.globalRegistry.get(rule)?.description ?? (inside ? descriptionOf(inside) : undefined);
}
