/** No statement takes longer, and none waits longer for a lock: every caller gets an answer. */
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 10_000;
/** A process that was paused in the middle of a transaction must not hold its locks for as long as it sleeps. */
const IDLE_IN_TRANSACTION_MS = 20_000;
/** When not even the refusal of the server comes: the wire is dead. */
export const ANSWER_TIMEOUT_MS = 2 * STATEMENT_TIMEOUT_MS;
export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What every session is told when it begins; a pooler in between may not know it as a startup parameter. Distributions
 * ship `jit = on` and the time zone of the machine: compiling takes longer than these statements run, and a day of the
 * service is a day in UTC.
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
