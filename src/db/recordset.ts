import { booleanArray, float8Array, intArray, textArray } from './binary-array.ts';

/**
 * Rows on their way into a statement: a parameter for each column, with the values of all rows in the database's own binary
 * form. Read from one JSON text they would take it three times as long (docs/decisions/0008-rows-as-columns.md).
 */
interface Recordset<Row> {
  /** For a FROM clause: the rows of a parameter of `sql`, and the `place` of each, counted from 1. */
  from(parameter: string): string;
  /** The value of the parameter. What is undefined or null is NULL. */
  values(rows: readonly Row[]): Buffer[];
}

/** Columns by name, each with its type in the database. */
type Columns<Row> = { [Name in keyof Row & string]?: string };

export function recordset<Row>(columns: Columns<Row>): Recordset<Row> {
  const all = Object.entries<string>(columns as Record<string, string>).map(([name, type]) => ({
    name: name as keyof Row,
    ...(FORMS[type] ?? { ...asText(String), cast: `::${type}` }),
  }));
  const names = all.map(({ name }) => `"${String(name)}"`);
  const selected = all.map(({ cast }, n) => `${names[n]}${cast} AS ${names[n]}`);
  return {
    from(parameter) {
      const arrays = all.map(({ sent }, n) => `$${parameter}.${n}::${sent}[]`);
      return `(SELECT ${selected.join(', ')}, place FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS u(${names.join(', ')}, place))`;
    },
    values: (rows) => all.map(({ name, array }) => array(rows.map((row) => row[name]))),
  };
}

/** How the values of a column travel: in an array of which type, and what the statement makes of them there. */
interface Form {
  sent: string;
  array(values: unknown[]): Buffer;
  cast: string;
}

const asText = (textOf: (value: unknown) => string) => ({
  sent: 'text',
  array: (values: unknown[]) => textArray(values.map((value) => (value == null ? null : textOf(value)))),
});

/** Whatever is not here, such as an enum, travels as text and is cast. */
const FORMS: Record<string, Form> = {
  int: { sent: 'int', array: (values) => intArray(values as number[]), cast: '' },
  float8: { sent: 'float8', array: (values) => float8Array(values as number[]), cast: '' },
  boolean: { sent: 'boolean', array: (values) => booleanArray(values as boolean[]), cast: '' },
  text: { sent: 'text', array: (values) => textArray(values as string[]), cast: '' },
  'text[]': { ...asText((value) => `{${(value as string[]).map(quoted).join(',')}}`), cast: '::text[]' },
  json: { ...asText(JSON.stringify), cast: '::json' },
  jsonb: { ...asText(JSON.stringify), cast: '::jsonb' },
  timestamptz: {
    ...asText((value) => (value instanceof Date ? value.toISOString() : String(value))),
    cast: '::timestamptz',
  },
};

/** An element of an array that is written as text. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
