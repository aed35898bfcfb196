import { expect, test } from 'vitest';
import { type ExpressionScope, evaluate } from '../../../src/domain/workflows/expressions/expression.ts';
import {
  renderJson,
  renderText,
  templateProblem,
} from '../../../src/domain/workflows/expressions/template.ts';

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
])('%s leads nowhere', (source) => {
  expect(() => evaluate(source, scope)).toThrow(source);
});

test.each([
  [
    'a walk without end',
    'parameters.l.map(x, parameters.l.map(y, parameters.l.map(z, z)))',
    { l: Array(3000).fill(1) },
  ],
  ['a pattern that backtracks', 'parameters.s.matches("^(a+)+$")', { s: `${'a'.repeat(40)}b` }],
])('%s is cut short', (_, source, parameters) => {
  expect(() => evaluate(source, { ...scope, parameters })).toThrow('takes longer than');
});

test.each([
  ['too many values', 'parameters.l.map(x, parameters.l)', { l: Array(300).fill(1) }],
  ['too long a text', '[parameters.s].map(x, x + x)[0]', { s: 'a'.repeat(100_000) }],
])('%s are not handed on', (_, source, parameters) => {
  expect(() => evaluate(source, { ...scope, parameters })).toThrow('gives more than');
});

test('text takes values in, objects as JSON', () => {
  expect(renderText('{{ parameters.name }}: {{ parameters.list }}, {{parameters.nothing}}.', scope)).toBe(
    'Ann: [1,2,3], .',
  );
  expect(renderText('no expression, { not even } one', scope)).toBe('no expression, { not even } one');
});

test('a value is not looked at again: what looks like an expression in it stays text', () => {
  const sly = { ...scope, parameters: { name: '{{ center.id }}' } };
  expect(renderText('{{ parameters.name }}', sly)).toBe('{{ center.id }}');
});

test('JSON keeps the kind of values that stand alone', () => {
  const given = {
    n: '{{ parameters.amount }}',
    t: 'n={{ parameters.amount }}',
    deep: [{ l: '{{ parameters.list }}' }],
    b: true,
  };
  expect(renderJson(given, scope)).toEqual({ n: 3, t: 'n=3', deep: [{ l: [1, 2, 3] }], b: true });
});

test('faults say which expression', () => {
  expect(templateProblem('{{ 1 + }}')).toContain('{{ 1 + }}');
  expect(templateProblem('{{ foo }}')).toMatch(/unknown variable/i);
  expect(templateProblem(`{{ ${'1+'.repeat(300)}1 }}`)).not.toBeNull();
});
