import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Invalid arguments: the usage is printed with the message. */
export class UsageError extends Error {}

/** `parseArgs`, with its errors as usage errors of one sentence. */
export function readArguments<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence!.replace(/\.$/, '')}.`);
  }
}

/** Lets several values follow one of these flags by repeating the flag before each value, as `parseArgs` expects. */
export function repeatFlags(
  args: string[],
  flags: readonly string[],
  isValue: (arg: string) => boolean = (arg) => !arg.startsWith('-'),
): string[] {
  let flag: string | null = null;
  return args.flatMap((arg, i) => {
    const before = args[i - 1] ?? '';
    if (flags.includes(before)) flag = before;
    else if (!isValue(arg)) flag = null;
    else if (flag !== null) return [flag, arg];
    return [arg];
  });
}
