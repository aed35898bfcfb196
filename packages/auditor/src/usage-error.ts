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
