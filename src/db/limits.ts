/** The maximum for a statement and for a lock wait, so every caller gets an answer. */
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A process that is paused in a transaction must not keep its locks while it sleeps. */
const IDLE_IN_TRANSACTION_MS = 20_000;
/** Applies when not even the server's timeout error arrives, because the connection is dead. */
export const ANSWER_TIMEOUT_MS = 2 * STATEMENT_TIMEOUT_MS;
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Settings of every session. They are set by a statement because a pooler may reject them as startup parameters. Distributions
 * ship `jit = on` and the machine's time zone: compiling takes longer than these statements run, and days in this service are
 * UTC days.
 */
export function sessionSettings(more: Record<string, string> = {}): string {
  const settings = {
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    jit: 'off',
    timezone: "'UTC'",
    ...more,
  };
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join(';');
}
