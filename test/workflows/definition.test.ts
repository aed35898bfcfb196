import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Vertical } from '../../src/db/generated/prisma/enums.ts';
import { checkParameters } from '../../src/domain/workflows/definition/parameters.ts';
import { workflowDefinition } from '../../src/domain/workflows/definition/workflow.ts';
import { starterWorkflows } from '../../src/domain/workflows/starters.ts';

const faults = (steps: unknown[], more: object = { type: 'MANUAL' }) => {
  const parsed = workflowDefinition.safeParse({ name: 'x', steps, ...more });
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'));
};

const text = (name: string, words = 'hello') => ({ name, kind: 'template', text: words });

const branch = (name: string, yes: unknown[], no: unknown[]) => ({
  name,
  kind: 'branch',
  if: 'facts.members > 1',
  yes,
  no,
});

describe('steps', () => {
  test.each([
    ['an unknown kind', [text('a'), { name: 'b', kind: 'shell', command: 'ls' }], 'steps.1.kind'],
    ['a missing field', [{ name: 'a', kind: 'template' }], 'steps.0.text'],
    ['an invalid name', [text('a b')], 'steps.0.name'],
    ['a duplicate name', [text('a'), text('a')], 'steps.1.name'],
    ['an expression that does not parse', [text('a', '{{ 1 + }}')], 'steps.0.text'],
    ['an unknown variable', [text('a', '{{ process.env }}')], 'steps.0.text'],
    ['a reference to a later step', [text('a', '{{ steps.b.text }}'), text('b')], 'steps.0.text'],
    [
      'a backward jump',
      [text('a'), { name: 'b', kind: 'condition', if: 'true', otherwise: 'a' }],
      'steps.1.otherwise',
    ],
    ['an unknown property', [{ ...text('a'), txt: 'x' }], 'steps.0'],
    ['an unknown fact', [text('a', '{{ facts.membrs }}')], 'steps.0.text'],
    ['an unknown output member', [text('a'), text('b', '{{ steps.a.body }}')], 'steps.1.text'],
    [
      'an unknown member inside an argument',
      [{ name: 'a', kind: 'record_decision', action: { type: 'x', input: { n: '{{ center.nam }}' } } }],
      'steps.0.action.input',
    ],
    [
      'a reference to a step of the other side',
      [branch('b', [text('yes')], [text('no', '{{ steps.yes.text }}')])],
      'steps.0.no.0.text',
    ],
    [
      'a reference to a step of one side after the branch',
      [branch('b', [text('yes')], []), text('after', '{{ steps.yes.text }}')],
      'steps.1.text',
    ],
    ['a branch without steps', [branch('b', [], [])], 'steps.0.yes'],
    ['a duplicate name on the other side', [branch('b', [text('a')], [text('a')])], 'steps.0.no.0.name'],
    [
      'a jump out of a branch',
      [branch('b', [{ name: 'c', kind: 'condition', if: 'true', otherwise: 'z' }], []), text('z')],
      'steps.0.yes.0.otherwise',
    ],
    ['a wait without a duration', [{ name: 'a', kind: 'wait' }], 'steps.0.seconds'],
    ['a reserved event type', [{ name: 'a', kind: 'emit_event', type: 'dpu.sealed' }], 'steps.0.type'],
    [
      'a role that cannot review',
      [{ name: 'a', kind: 'human_review', prompt: '?', roles: ['CHILD'] }],
      'steps.0.roles.0',
    ],
    [
      'too many retries',
      [{ name: 'a', kind: 'http', url: 'https://example.test', retry: { limit: 99 } }],
      'steps.0.retry.limit',
    ],
    [
      'an invalid header',
      [{ name: 'a', kind: 'http', url: 'https://example.test', headers: { 'a b': 'c' } }],
      'steps.0.headers.a b',
    ],
  ])('%s is reported with its path', (_, steps, path) => {
    expect(faults(steps)).toContain(path);
  });

  test('existing members, macro variables and steps tested with has() are valid', () => {
    expect(
      faults([
        branch('b', [text('yes', '{{ facts.children }} {{ facts["members"] }}')], []),
        text('tested', '{{ has(steps.yes) ? steps.yes.text : "no" }}'),
        text('listed', '{{ [1, 2].exists(facts, facts > 1) }} {{ event.data.anything.at.all }}'),
      ]),
    ).toEqual([]);
  });

  test('the number and depth of branches are limited', () => {
    const many = Array.from({ length: 30 }, (_, i) => text(`s${i}`));
    expect(
      faults([
        branch(
          'b',
          many,
          many.map(({ name }) => text(`${name}x`)),
        ),
      ]),
    ).toEqual(['steps']);
    const nested = (depth: number): unknown =>
      depth === 0 ? text('in') : branch(`b${depth}`, [nested(depth - 1)], []);
    expect(faults([nested(5)])).toEqual([]);
    expect(faults([nested(6)])).toEqual(['steps']);
  });

  test('no steps, or too many, are rejected', () => {
    expect(faults([])).toEqual(['steps']);
    expect(faults(Array.from({ length: 51 }, (_, i) => text(`s${i}`)))).toEqual(['steps']);
  });
});

describe('triggers', () => {
  const steps = [text('a')];
  test.each([
    ['an invalid schedule', { type: 'SCHEDULED', cron: 'every day' }, 'cron'],
    ['an unknown time zone', { type: 'SCHEDULED', cron: '0 9 * * *', timezone: 'Mars/Base' }, 'timezone'],
    ['a schedule without a cron', { type: 'SCHEDULED' }, 'cron'],
    ['an unknown event', { type: 'EVENT', eventPattern: 'center.*' }, 'eventPattern'],
    ['an unknown type', { type: 'SOMETIMES' }, 'type'],
  ])('%s is rejected', (_, trigger, path) => {
    expect(faults(steps, trigger)).toEqual([path]);
  });

  test.each(['*', 'dpu.*', 'agent.decision.*', 'payment.failed'])(
    'the event pattern %s is accepted',
    (eventPattern) => {
      expect(faults(steps, { type: 'EVENT', eventPattern })).toEqual([]);
    },
  );
});

describe('parameters', () => {
  const schema = {
    type: 'object',
    properties: {
      who: { type: 'string', maxLength: 5 },
      times: { type: 'integer', minimum: 1, default: 2 },
    },
    required: ['who'],
  };

  test('defaults are filled in', () => {
    expect(checkParameters(schema, { who: 'Ann' })).toEqual({ who: 'Ann', times: 2 });
  });

  test.each([
    [{}, 'parameters.who'],
    [{ who: 'Rumpelstiltskin' }, 'parameters.who'],
    [{ who: 'Ann', times: 0 }, 'parameters.times'],
    [{ who: 'Ann', times: 1.5 }, 'parameters.times'],
    ['nothing', 'parameters'],
  ])('%j is rejected with its path', (given, path) => {
    expect(() => checkParameters(schema, given)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: { fields: [expect.objectContaining({ path })] },
      }),
    );
  });

  test('an undeclared parameter is rejected, unless the schema allows it or has() tests for it', () => {
    const steps = [text('a', 'For {{ parameters.whom }}')];
    expect(faults(steps, { type: 'MANUAL', parametersSchema: schema })).toEqual(['steps.0.text']);
    const open = { ...schema, additionalProperties: true };
    expect(faults(steps, { type: 'MANUAL', parametersSchema: open })).toEqual([]);
    const tested = [text('a', '{{ has(parameters.whom) ? parameters.whom : parameters.who }}')];
    expect(faults(tested, { type: 'MANUAL', parametersSchema: schema })).toEqual([]);
  });

  test('a schema with unbounded computation is rejected', () => {
    const parametersSchema = { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } };
    expect(faults([text('a')], { type: 'MANUAL', parametersSchema })).not.toEqual([]);
  });

  test('without a schema any object is accepted, and __proto__ is dropped', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const plain = JSON.parse(JSON.stringify(given));
        const { ['__proto__']: _, ...kept } = plain;
        expect(checkParameters(null, plain)).toEqual(kept);
      }),
    );
  });
});

describe.each(Object.values(Vertical))('the starter workflows of %s', (vertical) => {
  test('are at least two with unique names, one of them scheduled', () => {
    const starters = starterWorkflows(vertical);
    expect(starters.length).toBeGreaterThanOrEqual(2);
    expect(starters.some(({ type }) => type === 'SCHEDULED')).toBe(true);
    expect(new Set(starters.map(({ name }) => name)).size).toBe(starters.length);
  });
});
