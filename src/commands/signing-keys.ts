// npm run signing-keys: shows and changes the keys that sign checkpoints.
import { runCommand, withApp } from './run-command.ts';
import { carryOut, readOrder, USAGE } from './signing-keys/order.ts';

await runCommand({
  usage: USAGE,
  readOptions: readOrder,
  run: async (order) => {
    const { out, err, code } = await withApp((app) => carryOut(app, order));
    process.stdout.write(out);
    process.stderr.write(err);
    process.exitCode = code;
  },
});
