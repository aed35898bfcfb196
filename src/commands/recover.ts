// npm run recover: for operators, after signed history was lost.
import { carryOut, readOrder, USAGE } from './recover/order.ts';
import { runCommand, withApp } from './run-command.ts';

await runCommand({
  usage: USAGE,
  failureCode: 2,
  readOptions: readOrder,
  run: async (order) => {
    const { text, code } = await withApp((app) => carryOut(app, order));
    process.stdout.write(text);
    process.exitCode = code;
  },
});
