import { Prisma } from './generated/prisma/client.ts';

/**
 * SQLSTATEs and socket errors which mean that the server is unreachable, starting up or shutting down, is read-only or full,
 * or ended a session that was idle for too long.
 */
const DOWN_CODES =
  /^(08...|57P0[1-5]|53...|58030|25006|25P0[34]|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const DOWN_MESSAGES =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|is not queryable|server closed the connection|Can't reach database|the database system is/i;
const PRISMA_DOWN_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);

function chain(error: unknown): object[] {
  const links: object[] = [];
  let current = error;
  while (current && typeof current === 'object' && links.length < 8) {
    links.push(current);
    const { cause, meta } = current as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
    current = meta?.driverAdapterError ?? cause;
  }
  return links;
}

const codesOf = (link: object) => {
  const { code, originalCode } = link as { code?: unknown; originalCode?: unknown };
  return [code, originalCode].filter((value) => typeof value === 'string');
};

/** The database is unavailable or read-only; a retry may succeed shortly. */
export function isDatabaseDown(error: unknown): boolean {
  return chain(error).some(
    (link) =>
      codesOf(link).some((code) => DOWN_CODES.test(code) || PRISMA_DOWN_CODES.has(code)) ||
      (link instanceof Error && DOWN_MESSAGES.test(link.message)),
  );
}

/** The database answered with an error. */
export function isDatabaseError(error: unknown): boolean {
  return chain(error).some(
    (link) =>
      link instanceof Prisma.PrismaClientKnownRequestError ||
      link instanceof Prisma.PrismaClientUnknownRequestError ||
      link instanceof Prisma.PrismaClientValidationError ||
      codesOf(link).some((code) => /^[0-9A-Z]{5}$/.test(code)),
  );
}

const hasCode = (error: unknown, prismaCode: string, sqlState: string) =>
  chain(error).some((link) => codesOf(link).some((code) => code === prismaCode || code === sqlState));

/** Driver adapters do not report the violated columns reliably, so callers write only one thing that can conflict. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, 'P2002', '23505');
}

/** A lookup that requires a row found none. */
export function isRecordMissing(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2025';
}

export function isExclusionViolation(error: unknown): boolean {
  return hasCode(error, '23P01', '23P01');
}

export function isSerializationFailure(error: unknown): boolean {
  return hasCode(error, 'P2034', '40001') || hasCode(error, 'P2034', '40P01');
}

/** A lock wait or a statement timed out. */
export function isTimeout(error: unknown): boolean {
  return hasCode(error, '55P03', '55P03') || hasCode(error, '57014', '57014');
}

/** The database is unavailable or busy; the statement itself is not at fault. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseDown(error) || isTimeout(error) || isSerializationFailure(error);
}
