import fc from 'fast-check';

/**
 * Values that break careless code: unstorable text, numbers beyond a double, endless structures. They are JSON text, because
 * some cannot be expressed as JavaScript values.
 */
const string = (text: string) => JSON.stringify(text);
const deep = (levels: number, open = '[', close = ']', core = '') =>
  open.repeat(levels) + core + close.repeat(levels);

/** The same in every run (see properties.ts for another seed). */
const drawn = <T>(arbitrary: fc.Arbitrary<T>, count: number) =>
  fc.sample(arbitrary, { numRuns: count, seed: Number(process.env['PROPERTY_SEED'] ?? 1) });

const texts = [
  '',
  ' ',
  '\0',
  'dpu_\0',
  '\ud800',
  'x\udfff',
  '\u202e\ufeff\u200b',
  "'; DROP TABLE actor; --",
  '%00',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '-1',
  '9'.repeat(400),
  'x'.repeat(70_000),
  '😀'.repeat(6_000),
  ...drawn(fc.string({ unit: 'binary', maxLength: 40 }), 3),
];

const numbers = [
  '0',
  '-1',
  '-0',
  '0.5',
  '2147483647',
  '-2147483648',
  '2147483648',
  '9007199254740993',
  '1e308',
  '-1e308',
  '5e-324',
  '1E400',
  '9'.repeat(400),
];

const moments = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00.123456789123Z',
  '2026-01-01T00:00:00+23:59',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
];

const structures = [
  '[[]]',
  '[null]',
  '{"__proto__":{"polluted":true},"constructor":1}',
  '{"a":"\\u0000"}',
  '{"a":["\\ud800"]}',
  '{"a":1E400}',
  '{"a":1,"a":2}',
  deep(2_000),
  deep(150_000),
  deep(50_000, '{"a":', '}', '1'),
  `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  `[${'"x",'.repeat(20_000)}"x"]`,
  ...drawn(fc.json({ stringUnit: 'binary', maxDepth: 5 }), 3),
];

/** A wrong type breaks code as well as a wrong value. */
const ofAnyType = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"\\u0000"',
  '-1',
  '1E400',
  // Deep enough to be rejected in place; those that could exhaust a parser are among the structures.
  deep(2_000),
  '{"\\ud800":1}',
];

const byType: Record<string, readonly string[]> = {
  text: texts.map(string),
  moment: moments.map(string),
  number: numbers,
  structure: structures,
};

/** Values for a place of these types, as JSON text. */
export function nastyJson(...types: ('text' | 'moment' | 'number' | 'structure')[]): string[] {
  return [...new Set([...ofAnyType, ...types.flatMap((type) => byType[type]!)])];
}

/** Values for a URL. */
export const nastyTexts: readonly string[] = [...texts, ...moments, ...numbers].map((text) =>
  text.slice(0, 6_000),
);

/** Concurrent requests, as many as a busy client sends. */
export async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
