import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../usage-error.ts';
import { look } from './look.ts';
import { type Options, readOptions, usage } from './options.ts';

/** The exit code of one look. */
async function lookAndTell(options: Options): Promise<number> {
  const { code, text } = await look(options);
  (code === 0 ? process.stdout : process.stderr).write(text);
  return code;
}

async function follow(options: Options, signal?: AbortSignal): Promise<number> {
  for (;;) {
    const code = await lookAndTell(options).catch((error: Error) => {
      if (options.watchSeconds === null) throw error;
      process.stderr.write(`could not look: ${reasonOf(error)}\n`);
      return 0;
    });
    if (code === 1 || options.watchSeconds === null || signal?.aborted) return code;
    await sleep(options.watchSeconds * 1_000, undefined, signal ? { signal } : {}).catch(() => {});
    if (signal?.aborted) return 0;
  }
}

const reasonOf = (error: Error) =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;

/** Looks once, or goes on until the signal; the exit code says what was found. */
export async function runMonitor(
  args: string[],
  env: NodeJS.ProcessEnv,
  program: string,
  signal?: AbortSignal,
): Promise<number> {
  try {
    const options = readOptions(args, env);
    if (options !== 'help') return await follow(options, signal);
    process.stdout.write(usage(program));
    return 0;
  } catch (error) {
    const help = error instanceof UsageError ? `\n${usage(program)}` : '';
    process.stderr.write(`${reasonOf(error as Error)}\n${help}`);
    return 2;
  }
}
