import { beginSpan } from '../../lib/tracing.ts';
import { Client } from './pg-client.ts';

type Callback = (error: Error | null, result?: unknown) => void;

/**
 * A connection that records statements as spans. A span has the statement's name, never its text or values, which belong to
 * tenants.
 */
export class TracedClient extends Client {
  // All overloads of the driver's `query` arrive here.
  override query(...args: unknown[]): never {
    const end = beginSpan({
      name: `sql ${nameOf(args[0])}`,
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql' },
    });
    const run = super.query as (...args: unknown[]) => unknown;
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const ended: Callback = (error, result) => {
        end(error);
        (callback as Callback)(error, result);
      };
      return run.call(this, ...args.slice(0, -1), ended) as never;
    }
    const result = run.call(this, ...args);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result as never;
  }
}

/** The statement's own name, or else its first word. */
function nameOf(statement: unknown): string {
  const { name, text } = (typeof statement === 'string' ? { text: statement } : statement) as {
    name?: string;
    text?: string;
  };
  return name || /^\s*(\w+)/.exec(text ?? '')?.[1]?.toUpperCase() || 'statement';
}
