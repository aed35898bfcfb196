// A client in a separate process that requests a decision and waits for it: `URL KEY ARGUMENTS`. It prints the task.
import { taskClient } from './clients.ts';

const [url = '', key = '', args = ''] = process.argv.slice(2);
const { session } = await taskClient(url, key);
const execution = await session.callTool('request_decision', JSON.parse(args));
if (execution.kind === 'task') process.stdout.write(`${JSON.stringify(execution.serializeReference())}\n`);
await execution.settle();
