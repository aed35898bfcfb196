import { expect, test } from 'vitest';
import { type ExpressionScope, evaluate } from '../../src/domain/expressions/expression.ts';
import { renderJson, renderText, templateProblem } from '../../src/domain/expressions/template.ts';

const scope: ExpressionScope = {
  parameters: { amount: 3, rate: 1.5, name: 'Ann', list: [1, 2, 3], nothing: null },
  steps: { first: { text: 'hi', status: 200 } },
  event: {},
  workflow: {},
  execution: {},
  center: { id: 1 },
  facts: {},
  now: '2026-03-01T10:00:00.000Z',
};

const inScope = (given: ExpressionScope) => (source: string) => evaluate(source, given);

test.each([
  ['parameters.amount + 1', 4],
  ['2 * parameters.rate', 3],
  ['parameters.amount / 2', 1.5],
  ['parameters.amount > 2 && steps.first.status == 200', true],
  ['parameters.list.map(x, x * 2)', [2, 4, 6]],
  ['size(parameters.list)', 3],
  ['has(parameters.missing) ? 1 : 2', 2],
  ['timestamp(now) + duration("1h")', '2026-03-01T11:00:00.000Z'],
  ['{"a": parameters.amount, "b": [1, "x"]}', { a: 3, b: [1, 'x'] }],
  ['parameters.nothing', null],
])('%s', (source, value) => {
  expect(evaluate(source, scope)).toEqual(value);
});

test.each([
  'parameters.constructor',
  'parameters.__proto__',
  'steps.first.text.constructor',
  'parameters.missing',
])('%s is not accessible', (source) => {
  expect(() => evaluate(source, scope)).toThrow(source);
});

test.each([
  ['a substring', '"order 12".matches("[0-9]+")', true],
  ['anchors', '"order 12".matches("^[0-9]+$")', false],
  ['words', 'parameters.name.matches("^A(nn|bel)$")', true],
  ['a dynamic value', 'steps.first.text.matches("h.")', true],
  ['letters of any alphabet', '"Grüße".matches("^\\\\p{L}+$")', true],
])('a pattern matches: %s', (_, source, value) => {
  expect(evaluate(source, scope)).toBe(value);
});

test('matching takes time linear in the text, for any pattern', () => {
  const parameters = { s: `${'a'.repeat(50_000)}b` };
  for (const pattern of ['^(a+)+$', '(a|a)*c', '(.*a){20}c', '^(a?){30}a{30}c']) {
    const started = process.threadCpuUsage();
    expect(evaluate(`parameters.s.matches("${pattern}")`, { ...scope, parameters })).toBe(false);
    const { user } = process.threadCpuUsage(started);
    expect(user / 1_000, pattern).toBeLessThan(1_500);
  }
});

test('errors contain the function names that authors write', () => {
  expect(() => evaluate('parameters.name.matches("(")', scope)).toThrow(/Invalid regular expression: \(/);
  expect(templateProblem('{{ 1.matches("a") }}')).toMatch(/matches\(/);
  expect(templateProblem('{{ ["a"].join(1) }}')).not.toMatch(/Bounded|Linear/);
});

test.each([
  ['too many values', 'parameters.l.map(x, parameters.l)', { l: Array(300).fill(1) }],
  ['text that is too long', '[parameters.s].map(x, x + x)[0]', { s: 'a'.repeat(100_000) }],
  [
    'intermediate text that is too long',
    `[parameters.s]${'.map(x, x + x)'.repeat(12)}[0].size()`,
    { s: 'ab'.repeat(50_000) },
  ],
  [
    'an intermediate list that is too long',
    `[parameters.l]${'.map(x, x + x)'.repeat(12)}[0].size()`,
    { l: Array(3000).fill(1) },
  ],
  [
    'joined text that is too long',
    'parameters.l.map(x, parameters.s).join(",").size()',
    { l: Array(300).fill(1), s: 'ab'.repeat(50_000) },
  ],
])('%s is rejected', (_, source, parameters) => {
  expect(() => evaluate(source, { ...scope, parameters })).toThrow('gives more than');
});

test('text contains rendered values, objects as JSON', () => {
  expect(
    renderText('{{ parameters.name }}: {{ parameters.list }}, {{parameters.nothing}}.', inScope(scope)),
  ).toBe('Ann: [1,2,3], .');
  expect(renderText('no expression, { not even } one', inScope(scope))).toBe(
    'no expression, { not even } one',
  );
});

test('an expression inside a value is not evaluated', () => {
  const sly = { ...scope, parameters: { name: '{{ center.id }}' } };
  expect(renderText('{{ parameters.name }}', inScope(sly))).toBe('{{ center.id }}');
});

test('JSON keeps the type of a value that is a single expression', () => {
  const given = {
    n: '{{ parameters.amount }}',
    t: 'n={{ parameters.amount }}',
    deep: [{ l: '{{ parameters.list }}' }],
    b: true,
  };
  expect(renderJson(given, inScope(scope))).toEqual({ n: 3, t: 'n=3', deep: [{ l: [1, 2, 3] }], b: true });
});

test('errors contain the expression', () => {
  expect(templateProblem('{{ 1 + }}')).toContain('{{ 1 + }}');
  expect(templateProblem('{{ foo }}')).toMatch(/unknown variable/i);
  expect(templateProblem(`{{ ${'1+'.repeat(300)}1 }}`)).not.toBeNull();
});

test('a template of unclosed expressions is rendered in linear time', () => {
  const started = process.threadCpuUsage();
  const endless = '{{'.repeat(1_000_000);
  expect(renderText(endless, inScope(scope))).toBe(endless);
  expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(500);
});
