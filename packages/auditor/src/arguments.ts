import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Invalid arguments: the usage is printed with the message. */
export class UsageError extends Error {}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

/** `parseArgs` with the option --help, and with its errors as usage errors of one sentence. */
export function readArguments<const T extends ParseArgsConfig & { options: object }>(config: T) {
  try {
    return parseArgs({ ...config, options: { ...(config.options as T['options']), ...HELP } });
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence!.replace(/\.$/, '')}.`);
  }
}

const optionsOf = <Name extends string, Option>(names: readonly Name[], option: Option) =>
  Object.fromEntries(names.map((name) => [name, option])) as Record<Name, Option>;

/** Options with a value, options that may be repeated, and options without a value. */
export const texts = <Name extends string>(...names: Name[]) => optionsOf(names, { type: 'string' } as const);
export const lists = <Name extends string>(...names: Name[]) =>
  optionsOf(names, { type: 'string', multiple: true } as const);
export const flags = <Name extends string>(...names: Name[]) =>
  optionsOf(names, { type: 'boolean' } as const);

export function isAddress(text: string | undefined): text is string {
  return /^https?:\/\//.test(text ?? '') && URL.canParse(text!);
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
