import { createContext, Script } from 'node:vm';

/** A constant script: its only purpose is that V8 can interrupt what it calls, inside of which our own code runs. */
const script = new Script('run()');
const context = createContext({ run: () => undefined });

/** Runs synchronous work and stops it, wherever it stands, when the time is over. */
export function withinTime<T>(milliseconds: number, work: () => T): T {
  context['run'] = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`takes longer than ${milliseconds} ms`);
  }
}
