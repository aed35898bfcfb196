/**
 * Fields that show a value of their object as it is.
 *
 * `columns` is for rows of the database: the datamodel knows the type of a column, and whether it is a list or nullable. An
 * enumeration has the same name in GraphQL.
 *
 * `properties` is for all other objects, whose types exist only at compile time, so a property is its type and its description.
 * `'String?'` is nullable and `'[String]'` a list. An enumeration or an object is given by its reference: `Center`, `[Center]`,
 * `orNull(Center)`. A type that does not fit the value does not compile.
 *
 * A field that differs from its value in name, type or nullability is declared beside them, with the methods of `t`.
 */
import type { FieldMap, OutputShape, OutputType } from '@pothos/core';
import type PrismaTypes from '../db/generated/pothos-types.ts';
import { getDatamodel } from '../db/generated/pothos-types.ts';
import type { builder } from './builder.ts';
import { type Exposing, type RowFields, type RowOf, typeNamed } from './internals/pothos.ts';

type Types = typeof builder.$inferSchemaTypes;
type ObjectFields<Value> = PothosSchemaTypes.ObjectFieldBuilder<Types, Value>;

type Descriptions<Row> = { readonly [Column in keyof Row]?: string };

const { models } = getDatamodel().datamodel;

/** Fields of columns, by their descriptions. Only those that a query asks for are read. */
export function columns<Fields extends RowFields>(
  t: Fields,
  descriptions: Descriptions<RowOf<Fields>>,
): FieldMap {
  return columnFields(t, t.model, descriptions);
}

/** The same for a type whose rows the domain reads. */
export function columnsOf<Model extends keyof PrismaTypes, Value>(
  model: Value extends PrismaTypes[Model]['Shape'] ? Model : never,
  t: ObjectFields<Value>,
  descriptions: Descriptions<PrismaTypes[Model]['Shape']>,
): FieldMap {
  return columnFields(t, model, descriptions);
}

function columnFields(t: Exposing, model: string, descriptions: object): FieldMap {
  const fields = Object.entries(descriptions as Record<string, string>).map(([name, description]) => {
    const { type, isList, isRequired } = models[model]!.fields.find((column) => column.name === name)!;
    const named = typeNamed(type === 'Json' ? 'JSON' : type);
    return [name, exposed(t, name, isList ? [named] : named, { nullable: !isRequired, description })];
  });
  return Object.fromEntries(fields);
}

type Scalar = Extract<keyof Types['outputShapes'], string>;
type Spelled = Scalar | `[${Scalar}]`;
type Property = readonly [
  type: Spelled | `${Spelled}?` | OutputType<Types> | readonly [OutputType<Types>] | Nullable,
  description: string,
];
type Nullable<Type = OutputType<Types>> = { readonly orNull: Type };
type Properties = Readonly<Record<string, Property>>;

/** The values that a type accepts. */
type Accepted<Type> = Type extends `${infer Some}?`
  ? Accepted<Some> | null | undefined
  : Type extends `[${infer Item}]`
    ? readonly OutputShape<Types, Item>[]
    : Type extends readonly [infer Item]
      ? readonly OutputShape<Types, Item>[]
      : Type extends Nullable<infer Some>
        ? Accepted<Some> | null | undefined
        : OutputShape<Types, Type>;

/** Refuses properties that the value does not have, or has with another type. */
type Fitting<Value, Given extends Properties> = {
  [Name in keyof Given]: Name extends keyof Value
    ? [Value[Name]] extends [Accepted<Given[Name][0]>]
      ? Property
      : never
    : never;
};

/** Fields of properties, by their types and descriptions. */
export function properties<Value, const Given extends Properties>(
  t: ObjectFields<Value>,
  given: Given & Fitting<Value, Given>,
): FieldMap {
  return propertyFields(t, given);
}

/** The same for a type that has no other fields. */
export function onlyProperties<Value, const Given extends Properties>(
  given: Given & Fitting<Value, Given>,
): (t: ObjectFields<Value>) => FieldMap {
  return (t) => propertyFields(t, given);
}

/** The type of a property that is another object or an enumeration, or null. */
export const orNull = <Type extends OutputType<Types>>(type: Type): Nullable<Type> => ({ orNull: type });

function propertyFields(t: Exposing, given: Properties): FieldMap {
  const fields = Object.entries(given).map(([name, [type, description]]) => {
    if (typeof type !== 'string') {
      const nullable = 'orNull' in type;
      return [name, exposed(t, name, nullable ? type.orNull : type, { nullable, description })];
    }
    const [, list, scalar, mark] = /^(\[?)(\w+)\]?(\??)$/.exec(type)!;
    const named = typeNamed(scalar!);
    return [name, exposed(t, name, list ? [named] : named, { nullable: mark === '?', description })];
  });
  return Object.fromEntries(fields);
}

const exposed = (
  t: Exposing,
  name: string,
  type: unknown,
  options: { nullable: boolean; description: string },
) => t.expose(name as never, { type, ...options } as never);
