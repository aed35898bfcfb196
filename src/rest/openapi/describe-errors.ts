import { doc } from '../../lib/doc.ts';
import { type ErrorCode, errorCodes } from '../../lib/errors.ts';
import { accessRules } from '../../schema/compile.ts';
import { schema } from '../../schema/index.ts';
import { nameOf, statusOf } from '../errors.ts';
import { type Dialect, dialectOf, type Route } from '../route.ts';
import { errorTexts } from './error-texts.ts';
import { componentRef, type Json } from './json-schema.ts';

/** The errors that every route can answer. A value in its path, query or headers can be unusable, such as one with NUL. */
const ALWAYS: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'MISDIRECTED_REQUEST',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'DATABASE_ERROR',
  'SERVICE_UNAVAILABLE',
];

/** The errors of a route: its own, and those that follow from its credentials, method and input. */
function errorsOf({ auth, method, params, idempotency, document, errors = [] }: Route): Set<ErrorCode> {
  const all = new Set<ErrorCode>([...errors, ...ALWAYS]);
  if (auth !== 'public') all.add('UNAUTHORIZED');
  if (auth === 'token') {
    all.add('TOKEN_EXPIRED');
    for (const code of refusals(document)) all.add(code);
  }
  // Pages of another origin may change nothing.
  if (method !== 'GET') all.add('FORBIDDEN');
  // Their body is read even if the route has no use for one.
  if (method !== 'GET' && method !== 'DELETE')
    all.add('BAD_REQUEST').add('PAYLOAD_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE');
  if (method !== 'GET' && auth !== 'public' && idempotency !== 'none') all.add('CONFLICT');
  if (auth !== 'key') return all;
  // A key needs a scope, and all keys are rejected while the Proof API is off.
  all.add('FORBIDDEN').add('FEATURE_DISABLED');
  if (params) all.add('NOT_FOUND');
  return all;
}

/** How the access rules of a document refuse a person. */
function refusals(document: Route['document']): ErrorCode[] {
  return accessRules(schema, document).flatMap((rule): ErrorCode[] => [
    ...(rule.roles ? NO_ACCESS_TO_CENTER : []),
    ...(rule.roles || rule.partner || rule.platformAdmin ? (['INSUFFICIENT_ROLE'] as const) : []),
    ...(rule.feature ? (['FEATURE_DISABLED'] as const) : []),
  ]);
}

const NO_ACCESS_TO_CENTER: readonly ErrorCode[] = [
  'NO_MEMBERSHIP',
  'MEMBERSHIP_SUSPENDED',
  'MEMBERSHIP_ENDED',
  'CENTER_SUSPENDED',
  'CENTER_NOT_FOUND',
];

/** The error responses of a route by status. Routes that can fail alike refer to the same one of `responses`. */
export function failures(row: Route, headers: Json, responses: Json): Json {
  const dialect = dialectOf(row.path);
  const errors = errorsOf(row);
  const byStatus = Map.groupBy(
    errorCodes.filter((code) => errors.has(code)),
    (code) => statusOf(code, dialect),
  );
  const shape = componentRef('schemas', dialect === 'platform' ? 'PlatformError' : 'ProofError');
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = `${dialect}_${codes.join('.')}`;
      responses[name] = {
        description: codes.map((code) => `${nameOf(code, dialect)}: ${errorTexts[code]}`).join('\n\n'),
        headers,
        content: { 'application/json': { schema: shape, examples: exampleRefs(codes, dialect) } },
      };
      return [status, componentRef('responses', name)];
    }),
  );
}

const REQUEST_ID = 'req_5tq0w2v9k1';

const exampleName = (code: ErrorCode, dialect: Dialect) => `${dialect}_${nameOf(code, dialect)}`;

/** The example of each error that a response refers to. */
export function errorExamples(responses: Json): Json {
  const used = JSON.stringify(responses);
  const examples = (['platform', 'proof'] as const).flatMap((dialect) =>
    errorCodes.map((code) => {
      const error = { code: nameOf(code, dialect), message: errorTexts[code] };
      const value =
        dialect === 'platform'
          ? { success: false, error }
          : { error: { ...error, requestId: REQUEST_ID, details: {} } };
      return [exampleName(code, dialect), { summary: errorTexts[code], value }] as const;
    }),
  );
  return Object.fromEntries(examples.filter(([name]) => used.includes(`/examples/${name}"`)));
}

function exampleRefs(codes: ErrorCode[], dialect: Dialect): Json {
  return Object.fromEntries(
    codes.map((code) => [nameOf(code, dialect), componentRef('examples', exampleName(code, dialect))]),
  );
}

export function errorSchema(dialect: Dialect): Json {
  const codes = [...new Set(errorCodes.map((code) => nameOf(code, dialect)))];
  const error = {
    type: 'object',
    required: dialect === 'platform' ? ['code', 'message'] : ['code', 'message', 'requestId', 'details'],
    properties: {
      code: {
        type: 'string',
        enum: codes,
        description: 'What is wrong, as a code that programs can act on.',
      },
      message: { type: 'string', description: 'What is wrong, for people. The text can change.' },
      ...(dialect === 'proof' && {
        requestId: {
          type: 'string',
          ...doc('The id of the request, as in `X-Request-Id`; name it to support.', REQUEST_ID),
        },
      }),
      details: {
        type: 'object',
        additionalProperties: true,
        ...doc(
          'What the code does not say. `fields` lists the members of the request that are wrong, each with `path` and `message`.',
          {},
        ),
      },
    },
    description: 'What is wrong, where, and what to do.',
  };
  return dialect === 'platform'
    ? {
        type: 'object',
        required: ['success', 'error'],
        properties: {
          success: { type: 'boolean', const: false, description: 'Always false in an error.' },
          error,
        },
      }
    : { type: 'object', required: ['error'], properties: { error } };
}
