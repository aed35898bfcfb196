import { flags, lists, readArguments, texts, UsageError } from '@countersign/auditor/arguments';

/** Exit codes. `verify` has additional ones: see its help. */
export const EXIT = { done: 0, refused: 1, usage: 2 } as const;

type OptionTypes = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>;

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Invocation {
  positionals: string[];
  values: Values;
  json: boolean;
  print: Printer;
  /** Aborted when the program ends. */
  signal: AbortSignal;
}

interface Described {
  summary: string;
  help: string;
}

export interface ParsedCommand extends Described {
  options?: OptionTypes;
  run(invocation: Invocation): Promise<number>;
}

/** A command that parses its own arguments and has its own exit codes. */
export interface OwnCommand extends Described {
  runArguments(args: string[], signal: AbortSignal): Promise<number>;
}

export type Command = ParsedCommand | OwnCommand;

export interface Printer {
  line(text: string): void;
  /** JSON with --json, otherwise a table. */
  rows(rows: Record<string, unknown>[], columns: readonly string[]): void;
  object(value: unknown): void;
}

export { flags, lists, texts, UsageError };

export function parse(args: string[], options: OptionTypes = {}) {
  return readArguments({ args, allowPositionals: true, options: { ...options, ...flags('json') } }) as {
    values: Values;
    positionals: string[];
  };
}

export function text(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing.`);
  return value;
}

export function makePrinter(json: boolean, write: (text: string) => void): Printer {
  return {
    line: (line) => {
      if (!json) write(`${line}\n`);
    },
    object: (value) => write(`${JSON.stringify(value, null, json ? 0 : 2)}\n`),
    rows: (rows, columns) => {
      if (json) for (const row of rows) write(`${JSON.stringify(row)}\n`);
      else write(table(rows, columns));
    },
  };
}

function table(rows: Record<string, unknown>[], columns: readonly string[]): string {
  if (rows.length === 0) return 'Nothing.\n';
  const cells = [columns as string[], ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i]!.length)));
  const lines = cells.map((line) =>
    line
      .map((value, i) => value.padEnd(widths[i]!))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

const cell = (value: unknown) =>
  value === null || value === undefined ? '-' : Array.isArray(value) ? value.join(',') : String(value);
