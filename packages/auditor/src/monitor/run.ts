import { setTimeout as sleep } from 'node:timers/promises';
import { checkOnce } from './check-once.ts';
import type { Options } from './options.ts';

/** The exit code of one check. */
async function lookAndTell(options: Options): Promise<number> {
  const { code, text, found } = await checkOnce(options);
  if (options.json) process.stdout.write(`${JSON.stringify(found)}\n`);
  else (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}

/** Checks once, or repeatedly until the signal; the exit code shows the result. */
export async function runMonitor(options: Options, signal?: AbortSignal): Promise<number> {
  for (;;) {
    const code = await lookAndTell(options).catch((error: Error) => {
      if (options.watchSeconds === null) throw error;
      process.stderr.write(`could not check: ${error.message}\n`);
      return 0;
    });
    if (code === 1 || options.watchSeconds === null || signal?.aborted) return code;
    await sleep(options.watchSeconds * 1_000, undefined, signal ? { signal } : {}).catch(() => {});
    if (signal?.aborted) return 0;
  }
}
