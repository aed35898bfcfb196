import { usage } from '../../../../../src/commands/monitor/options.ts';
import { runMonitor } from '../../../../../src/commands/monitor/run.ts';
import type { Command } from '../command.ts';

export const monitor: Command = {
  summary: 'follow the head log of a service and keep the evidence of a fork',
  help: usage('countersign monitor'),
  runArguments: (args, signal) => runMonitor(args, process.env, 'countersign monitor', signal),
};
