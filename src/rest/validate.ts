import type { z } from 'zod';
import {
  DomainError,
  type ErrorCode,
  type FieldFault,
  faultsOfIssue,
  limitFaults,
  validationError,
} from '../lib/errors.ts';
import type { Dialect } from './route.ts';

/** The platform's specific codes, by zod issue. A schema may set its own with `params: { code }`. */
function codeOf(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): ErrorCode {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'MISSING_REQUIRED_FIELD';
  if (issue.code === 'invalid_format' && issue.format === 'email') return 'INVALID_EMAIL';
  if (issue.code === 'custom' && issue.params?.['code']) return issue.params['code'] as ErrorCode;
  return 'VALIDATION_ERROR';
}

const ORDER: ErrorCode[] = [
  'MISSING_REQUIRED_FIELD',
  'INVALID_EMAIL',
  'INVALID_SUBDOMAIN',
  'VALIDATION_ERROR',
];

/** The parsed value, or the error in the path's format with every invalid field. */
export function validated<T extends z.ZodType>(schema: T, value: unknown, dialect: Dialect): z.output<T> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  if (dialect === 'proof') throw validationError(issues.flatMap(faultsOfIssue));
  const fields = issues.map(({ path, message }): FieldFault => ({ path: path.join('.'), message }));
  const codes = issues.map(codeOf);
  const code = ORDER.find((each) => codes.includes(each)) ?? 'VALIDATION_ERROR';
  const decisive = fields[codes.indexOf(code)]!;
  const message = `${decisive.path || 'body'}: ${decisive.message}`;
  throw new DomainError(code, message, { details: { fields: limitFaults(fields) } });
}
