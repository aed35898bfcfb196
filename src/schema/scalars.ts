import { GraphQLError, type ValueNode, valueFromASTUntyped, visit } from 'graphql';
import { isExactDouble } from '../lib/json-faults.ts';
import { builder } from './builder.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** PostgreSQL has no year 0, and ISO 8601 writes years after 9999 differently. */
const isKnownYear = (moment: Date) => moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9_999;

function faulty(what: string): GraphQLError {
  return new GraphQLError(`must be ${what}`, { extensions: { code: 'VALIDATION_ERROR' } });
}

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A timestamp in ISO 8601 with a time zone. Output is in UTC with milliseconds.',
  serialize: (value) =>
    (value instanceof Date ? value : new Date(value as unknown as string)).toISOString() as never,
  parseValue: (value) => {
    const moment = typeof value === 'string' && INSTANT.test(value) ? new Date(value) : null;
    if (!moment || Number.isNaN(moment.getTime())) throw faulty('an ISO 8601 timestamp with a time zone');
    if (!isKnownYear(moment)) throw faulty('a timestamp between the years 1 and 9999');
    return moment;
  },
});

builder.scalarType('Date', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A date in the form YYYY-MM-DD.',
  serialize: (value) => value,
  parseValue: (value) => {
    if (typeof value !== 'string' || !DAY.test(value)) throw faulty('a date in the form YYYY-MM-DD');
    const day = new Date(`${value}T00:00:00Z`);
    if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value) || !isKnownYear(day))
      throw faulty('an existing date');
    return value;
  },
});

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value: an object, a list, text, a number, true, false or null.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => {
    checkNumbers(node);
    return valueFromASTUntyped(node, variables);
  },
});

/** A number beyond a double's precision would change. */
function checkNumbers(node: ValueNode): void {
  const check = ({ value }: { value: string }) => {
    if (!isExactDouble(value))
      throw faulty('made of numbers that a double represents exactly; send others as strings');
  };
  visit(node, { IntValue: check, FloatValue: check });
}
