import { readOptions, usage } from '@countersign/auditor/monitor/options';
import { runMonitor } from '@countersign/auditor/monitor/run';
import type { Command } from '../command.ts';

/** The same code as the service's own command. */
export const monitor: Command = {
  summary: 'follow the head log of a service and keep the evidence of a fork',
  help: usage('countersign monitor'),
  async runArguments(args, signal) {
    const options = readOptions(args, process.env);
    if (options === 'help') throw new Error('the help is shown before');
    return runMonitor(options, signal);
  },
};
