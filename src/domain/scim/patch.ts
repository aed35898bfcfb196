import { invalidSyntax, ScimError } from './errors.ts';
import { MAX_EXPRESSION, readPath, type ValuePath } from './expression.ts';
import { isOwnSchema, type ResourceKind } from './schemas.ts';

/** One change of one attribute: an operation of PATCH, or a member of a whole resource. */
export interface Change {
  op: 'add' | 'remove' | 'replace';
  target: ValuePath;
  /** Undefined if there is none. */
  value: unknown;
  /** The attribute as the directory wrote it, for errors. */
  named: string;
}

const MOST_OPERATIONS = 1_000;
const OPS = ['add', 'remove', 'replace'] as const;

type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object with this name in any case. */
export function memberOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

/**
 * The members of a whole resource as changes. Keys with dots and URNs are read like paths, as directories send them. Keys that
 * name nothing here are ignored.
 */
export function changesOfResource(kind: ResourceKind, body: unknown): Change[] {
  if (!isObject(body)) throw invalidSyntax('The body must be a JSON object.');
  return changesOfObject(kind, 'replace', body);
}

/** The operations of a PATCH as changes of single attributes, in their order. */
export function changesOfPatch(kind: ResourceKind, body: unknown): Change[] {
  if (!isObject(body)) throw invalidSyntax('The body must be a JSON object.');
  const operations = memberOf(body, 'Operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw invalidSyntax('Operations: must be a list of at least one operation');
  if (operations.length > MOST_OPERATIONS)
    throw invalidSyntax(`Operations: must not contain more than ${MOST_OPERATIONS} operations`);
  return operations.flatMap((operation, at) => changesOfOperation(kind, operation, `Operations[${at}]`));
}

function changesOfOperation(kind: ResourceKind, operation: unknown, named: string): Change[] {
  if (!isObject(operation)) throw invalidSyntax(`${named}: must be an object`);
  const asked = memberOf(operation, 'op');
  const op = OPS.find((each) => typeof asked === 'string' && asked.toLowerCase() === each);
  if (op === undefined) throw invalidSyntax(`${named}.op: must be add, remove or replace`);
  const path = memberOf(operation, 'path');
  const value = memberOf(operation, 'value');
  if (path === undefined || path === null || path === '') {
    if (op === 'remove') throw new ScimError(400, `${named}.path: is required to remove`, 'noTarget');
    if (!isObject(value)) throw invalidSyntax(`${named}.value: must be an object if there is no path`);
    return changesOfObject(kind, op, value);
  }
  if (op !== 'remove' && value === undefined)
    throw new ScimError(400, `${named}.value: is required`, 'invalidValue');
  const target = typeof path === 'string' ? readPath(path) : null;
  if (!target || typeof path !== 'string') throw invalidPath(path, named);
  return isOwn(kind, target) ? [{ op, target, value, named: path }] : [];
}

function changesOfObject(
  kind: ResourceKind,
  op: Change['op'],
  object: JsonObject,
  isWithinSchema = false,
): Change[] {
  return Object.keys(object).flatMap((key): Change[] => {
    const value = object[key];
    if (!isWithinSchema && isOwnSchema(kind, key) && isObject(value))
      return changesOfObject(kind, op, value, true);
    const target = readPath(key);
    return target && isOwn(kind, target) ? [{ op, target, value, named: key }] : [];
  });
}

/** Attributes of other schemas, such as the enterprise extension, are not kept. */
const isOwn = (kind: ResourceKind, { attribute: { schema } }: ValuePath) =>
  schema === null || isOwnSchema(kind, schema);

const invalidPath = (path: unknown, named: string) =>
  new ScimError(
    400,
    typeof path === 'string' && path.length > MAX_EXPRESSION
      ? `${named}.path: has more than ${MAX_EXPRESSION} characters`
      : `${named}.path: is not the path of an attribute`,
    'invalidPath',
  );
