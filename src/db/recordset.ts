import { booleanArray, float8Array, intArray, textArray } from './binary-array.ts';

/**
 * Rows as statement parameters: one parameter per column, holding the values of all rows in PostgreSQL's binary format.
 * Reading them from one JSON text takes three times as long (docs/decisions/0008-rows-as-columns.md).
 */
interface Recordset<Row> {
  /** For a FROM clause: the rows of a parameter of `sql`, and the 1-based `place` of each. */
  from(parameter: string): string;
  /** The value of the parameter. undefined and null become NULL. */
  values(rows: readonly Row[]): Buffer[];
}

/** Columns by name, each with its database type. */
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

/** How the values of a column are sent: the array type, and the cast that the statement applies. */
interface Form {
  sent: string;
  array(values: unknown[]): Buffer;
  cast: string;
}

const asText = (textOf: (value: unknown) => string) => ({
  sent: 'text',
  array: (values: unknown[]) => textArray(values.map((value) => (value == null ? null : textOf(value)))),
});

/** All other types, such as enums, are sent as text and cast. */
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

/** An element of an array in text format. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
