import { z } from 'zod';
import { checkKeyForm } from '../api/idempotency.ts';
import type { RequestContext } from '../api/request-context.ts';
import { validationError } from '../lib/errors.ts';
import { valueFault } from '../lib/json-faults.ts';
import { accessCheck } from '../schema/compile.ts';
import type { Engine, PreparedDocument } from '../schema/engine.ts';
import { rowCost } from '../schema/request-cost.ts';
import { type AnyInput, type Dialect, dialectOf, type Route } from './route.ts';
import { validated } from './validate.ts';

/** A row with its compiled document, which answers calls from any surface. */
export interface PreparedRow {
  row: Route;
  dialect: Dialect;
  run: PreparedDocument<unknown, never>;
  /** Rejects callers that the fields of the document reject, before their input is read. */
  checkAccess(ctx: RequestContext): void;
  /** The cost of a call. */
  cost: number;
}

export function prepareRow(engine: Engine, row: Route): PreparedRow {
  return {
    row,
    dialect: dialectOf(row.path),
    run: engine.prepare(row.document),
    checkAccess: accessCheck(engine.schema, row.document),
    cost: rowCost(engine.schema, row.document),
  };
}

/** The raw, unvalidated parts of a call. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  /** Null if none was sent. */
  idempotencyKey: string | null;
}

/** The input of Proof API rows without parameters. */
const noBody = z.strictObject({});

/** The validated input of the row, or the error in the row's format with every invalid field. */
export function validInput({ row, dialect }: PreparedRow, raw: RawInput): AnyInput {
  const { params, query, body, idempotencyKey } = raw;
  if (idempotencyKey !== null) checkKeyForm(idempotencyKey);
  const fault = valueFault(params) ?? valueFault(query);
  if (fault) throw validationError([fault]);
  return {
    params: row.params ? validated(row.params, params, dialect) : {},
    query: row.query ? validated(row.query, query, dialect) : {},
    body: row.body || dialect === 'proof' ? validated(row.body ?? noBody, body, dialect) : {},
    idempotencyKey,
  };
}

interface RowAnswer {
  status: number;
  /** The response body; null if there is none. */
  shown: unknown;
}

export async function runRow(
  { row, run }: PreparedRow,
  ctx: RequestContext,
  input: AnyInput,
): Promise<RowAnswer> {
  const data = await run((row.variables?.(input) ?? {}) as never, ctx);
  const status = typeof row.status === 'function' ? row.status(data) : row.status;
  return { status, shown: row.response ? row.project(data, input) : null };
}
