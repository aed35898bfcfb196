import manifest from '../../package.json' with { type: 'json' };
import { CountersignError } from '../error.ts';
import { type Command, EXIT, makePrinter, parse, UsageError } from './command.ts';
import { logout, whoami } from './commands/account.ts';
import { makeCompletion } from './commands/completion.ts';
import { decisions } from './commands/decisions.ts';
import { keys } from './commands/keys.ts';
import { listen } from './commands/listen.ts';
import { login } from './commands/login.ts';
import { monitor } from './commands/monitor.ts';
import { trigger } from './commands/trigger.ts';
import { verify } from './commands/verify.ts';
import { webhooks } from './commands/webhooks.ts';

const commands: Record<string, Command> = {
  login,
  whoami,
  logout,
  listen,
  trigger,
  decisions,
  webhooks,
  keys,
  verify,
  monitor,
  completion: makeCompletion(() => Object.keys(commands)),
};

const USAGE = `countersign COMMAND [--json] [-h]
countersign --version

${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(11)} ${summary}`)
  .join('\n')}

COUNTERSIGN_URL and COUNTERSIGN_API_KEY override what \`login\` stored.
Exit codes: 0 success, 1 refused by the service, 2 wrong usage or no connection.
\`verify\` and \`monitor\` have further exit codes: see their -h.
`;

export async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '-h' || name === '--help') {
    process.stdout.write(USAGE);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version' || name === '-V') {
    process.stdout.write(`${manifest.version}\n`);
    return EXIT.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`countersign: There is no command ${name}. \`countersign -h\` lists them.\n`);
    return EXIT.usage;
  }
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  try {
    if ('runArguments' in command) {
      if (rest.includes('-h') || rest.includes('--help')) return showHelp(command);
      return await command.runArguments(rest, ending.signal);
    }
    const { values, positionals } = parse(rest, command.options);
    if (values['help']) return showHelp(command);
    const json = values['json'] === true;
    const print = makePrinter(json, (text) => process.stdout.write(text));
    return await command.run({ positionals, values, json, print, signal: ending.signal });
  } catch (error) {
    return explain(error, name);
  }
}

function showHelp({ help }: Command): number {
  process.stdout.write(`${help.trimEnd()}\n`);
  return EXIT.done;
}

/** One line that says what to do. */
function explain(error: unknown, name: string): number {
  if (error instanceof UsageError) {
    process.stderr.write(`countersign: ${error.message} \`countersign ${name} -h\` says how.\n`);
    return EXIT.usage;
  }
  if (error instanceof CountersignError) {
    const reference = error.requestId ? ` (request ${error.requestId})` : '';
    process.stderr.write(`countersign: ${error.code}: ${error.message}${reference}\n`);
    return error.status === 0 ? EXIT.usage : EXIT.refused;
  }
  process.stderr.write(`countersign: ${(error as Error).message}\n`);
  return EXIT.usage;
}

// A reader that closes early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(EXIT.done);
});
process.exitCode = await main(process.argv.slice(2));
