// npm run recover: for operators, after signed history was lost.
import { execute, parseCommand, USAGE } from './recover/command.ts';
import { runCommand, withApp } from './run-command.ts';

await runCommand({
  usage: USAGE,
  failureCode: 2,
  readOptions: parseCommand,
  run: async (command) => {
    const { text, code } = await withApp((app) => execute(app, command));
    process.stdout.write(text);
    process.exitCode = code;
  },
});
