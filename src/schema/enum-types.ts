import type * as stored from '../db/generated/prisma/enums.ts';
import { builder } from './builder.ts';

/** An enumeration with the descriptions of its values. A value without a description does not compile. */
export function enumType<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
) {
  const values = Object.entries<string>(descriptions).map(([value, each]) => [
    value,
    { value, description: each },
  ]);
  return builder.enumType(name, {
    description,
    values: Object.fromEntries(values) as { [Key in Value]: { value: Key; description: string } },
  });
}

type Stored = typeof stored;

/** An enumeration of the database, under the same name: columns find it by this name. */
export const storedEnum = <Name extends keyof Stored>(
  name: Name,
  description: string,
  descriptions: Readonly<Record<keyof Stored[Name] & string, string>>,
) => enumType<keyof Stored[Name] & string>(name, description, descriptions);
