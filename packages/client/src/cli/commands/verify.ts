import { FILES_USAGE, readOptions } from '@countersign/auditor/verify/options';
import { runVerify } from '@countersign/auditor/verify/run';
import type { Command } from '../command.ts';

/** The same code as the service's own command. */
export const verify: Command = {
  summary: 'check proofs in files, offline, or the chains of a center',
  help: FILES_USAGE('countersign verify'),
  async runArguments(args) {
    const options = readOptions(args, process.env);
    if (options === 'help') throw new Error('the help is shown before');
    const { text, code } = await runVerify(options);
    process.stdout.write(text);
    return code;
  },
};
