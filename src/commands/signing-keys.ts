// npm run signing-keys: shows and changes the keys that sign checkpoints.
import { runCommand, withApp } from './run-command.ts';
import { execute, parseCommand, USAGE } from './signing-keys/command.ts';

await runCommand({
  usage: USAGE,
  readOptions: parseCommand,
  run: async (command) => {
    const { out, err, code } = await withApp((app) => execute(app, command));
    process.stdout.write(out);
    process.stderr.write(err);
    process.exitCode = code;
  },
});
