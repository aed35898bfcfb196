import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A call that makes no sense: the usage is shown with it. */
export class UsageError extends Error {}

/** `parseArgs`, whose complaints are usage errors of one sentence. */
export function readArguments<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence!.replace(/\.$/, '')}.`);
  }
}
