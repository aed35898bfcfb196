/** What a column holds: a type of the database. All but the first three travel as text, which the statement casts. */
export type ColumnType =
  | 'int'
  | 'float8'
  | 'boolean'
  | 'text'
  | 'text[]'
  | 'json'
  | 'jsonb'
  | 'timestamptz'
  | (string & {});

/**
 * Rows on their way into a statement: a parameter for each column, with the values of all rows in the database's own binary
 * form. Read from one JSON text they would take it three times as long (docs/decision-log.md).
 */
export interface Recordset<Row> {
  /** How many parameters the rows take. */
  width: number;
  /** For a FROM clause: the rows in the parameters from $first on, and the `place` of each, counted from 1. */
  from(first: number): string;
  /** Its parameters. What is undefined or null is NULL. */
  values(rows: readonly Row[]): Buffer[];
}

export function recordset<Row>(columns: { [Name in keyof Row & string]?: ColumnType }): Recordset<Row> {
  const all = Object.entries(columns as Record<string, ColumnType>).map(([name, type]) => ({
    name: name as keyof Row & string,
    type,
    wire: WIRES[type] ?? TEXT,
    toText: TO_TEXT[type] ?? String,
  }));
  const names = all.map(({ name }) => `"${name}"`).join(', ');
  const casts = all.map(({ name, type, wire }) =>
    wire.type === type ? `"${name}"` : `"${name}"::${type} AS "${name}"`,
  );
  return {
    width: all.length,
    from(first) {
      const arrays = all.map(({ wire }, n) => `$${first + n}::${wire.type}[]`).join(', ');
      return `(SELECT ${casts.join(', ')}, place FROM unnest(${arrays}) WITH ORDINALITY AS u(${names}, place))`;
    },
    values: (rows) =>
      all.map(({ name, wire, toText }) =>
        wire === TEXT
          ? textArray(rows.map((row) => (row[name] == null ? null : toText(row[name]))))
          : fixedArray(
              wire,
              rows.map((row) => row[name] as Fixed | null | undefined),
            ),
      ),
  };
}

/** How a value travels: its type there, that type's number in the catalogue, and its bytes when they are always as many. */
interface Wire {
  type: string;
  oid: number;
  bytes: number;
  write(into: Buffer, value: Fixed, at: number): void;
}
type Fixed = number | boolean;

const TEXT: Wire = { type: 'text', oid: 25, bytes: Number.NaN, write: () => {} };
const WIRES: Record<string, Wire> = {
  int: { type: 'int', oid: 23, bytes: 4, write: (into, value, at) => into.writeInt32BE(value as number, at) },
  float8: {
    type: 'float8',
    oid: 701,
    bytes: 8,
    write: (into, value, at) => into.writeDoubleBE(value as number, at),
  },
  boolean: {
    type: 'boolean',
    oid: 16,
    bytes: 1,
    write: (into, value, at) => into.writeUInt8(Number(value), at),
  },
};

const TO_TEXT: Record<string, (value: unknown) => string> = {
  json: JSON.stringify,
  jsonb: JSON.stringify,
  timestamptz: (value) => (value instanceof Date ? value.toISOString() : String(value)),
  'text[]': (value) => `{${(value as string[]).map(quoted).join(',')}}`,
};
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

// An array begins with its dimensions, whether NULLs are in it, the type of its elements, their number and where they
// count from; each element with its length, which is -1 for NULL.
const HEAD = 20;
const LENGTH = 4;

function arrayOf(wire: Wire, values: readonly unknown[], bytes: number): Buffer {
  const array = Buffer.allocUnsafe(HEAD + LENGTH * values.length + bytes);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(values.some((value) => value == null) ? 1 : 0, 4);
  array.writeInt32BE(wire.oid, 8);
  array.writeInt32BE(values.length, 12);
  array.writeInt32BE(1, 16);
  return array;
}

function fixedArray(wire: Wire, values: (Fixed | null | undefined)[]): Buffer {
  const present = values.reduce<number>((count, value) => count + (value == null ? 0 : 1), 0);
  const array = arrayOf(wire, values, present * wire.bytes);
  let at = HEAD;
  for (const value of values) {
    array.writeInt32BE(value == null ? -1 : wire.bytes, at);
    at += LENGTH;
    if (value == null) continue;
    wire.write(array, value, at);
    at += wire.bytes;
  }
  return array;
}

function textArray(values: (string | null)[]): Buffer {
  // UTF-8 has nothing for half a character: in its place another would be kept.
  if (values.some((value) => value?.isWellFormed() === false))
    throw new TypeError('a text with a lone surrogate');
  const bytes = values.reduce((sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)), 0);
  const array = arrayOf(TEXT, values, bytes);
  let at = HEAD;
  for (const value of values) {
    const length = value === null ? -1 : array.write(value, at + LENGTH);
    array.writeInt32BE(length, at);
    at += LENGTH + Math.max(length, 0);
  }
  return array;
}
