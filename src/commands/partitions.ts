// npm run partitions: lists the weeks of webhook events and moves them to the archive and back.
import { flags, readArguments, UsageError } from '@countersign/auditor/arguments';
import pg from 'pg';
import { loadConfig } from '../config.ts';
import { installationUrl } from './installation.ts';
import { runCommand } from './run-command.ts';

const USAGE = `Weeks of webhook events, with their deliveries and attempts. Works as the owner of the tables: DATABASE_OWNER_URL, else DATABASE_URL,
else the database that a running server keeps in DATA_DIR.

  npm run partitions -- list            lists the weeks, and which of them are archived
  npm run partitions -- detach WEEK     moves a week that has ended to the schema "archive"; its events are not shown or sent again
  npm run partitions -- attach WEEK     moves it back

  WEEK is the name that list prints, such as w20261116
  --json                                machine-readable output
  --help
`;

interface Week {
  week: string;
  /** The first day, in UTC; null for events older than the first week. */
  begins: string | null;
  /** The first day after it. */
  ends: string;
  state: 'attached' | 'archived';
  bytes: number;
}

const LIST = `
  SELECT w.week, w.begins::text, w.ends::text, CASE WHEN w.attached THEN 'attached' ELSE 'archived' END AS state,
         (SELECT sum(pg_total_relation_size(format('%I.%I', CASE WHEN w.attached THEN 'partitions' ELSE 'archive' END,
                                                   t.name || '_' || w.week)::regclass)) FROM event_tables() t)::float8 AS bytes
  FROM event_weeks() w ORDER BY w.ends`;

type ParsedCommand = { json: boolean } & ({ verb: 'list' } | { verb: 'detach' | 'attach'; week: string });

function parseCommand(args: string[]): ParsedCommand | 'help' {
  const { values, positionals } = readArguments({ args, allowPositionals: true, options: flags('json') });
  if (values.help) return 'help';
  const [verb, week, ...rest] = positionals;
  const json = values.json ?? false;
  if (verb === 'list' && week === undefined) return { verb, json };
  if ((verb === 'detach' || verb === 'attach') && week !== undefined && rest.length === 0)
    return { verb, week, json };
  throw new UsageError('Use list, detach WEEK or attach WEEK.');
}

async function execute(client: pg.Client, command: ParsedCommand): Promise<Week[]> {
  try {
    if (command.verb === 'detach') await client.query('SELECT archive_event_week($1)', [command.week]);
    if (command.verb === 'attach') await client.query('SELECT restore_event_week($1)', [command.week]);
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    // Errors that the functions raise, and a table that is locked by others.
    if (code === 'P0002' || code === '55006') throw new UsageError(`Cannot ${command.verb}: ${message}.`);
    if (code === '55P03')
      throw new UsageError(`Cannot ${command.verb}: the tables are busy. Try again later.`);
    throw error;
  }
  return (await client.query<Week>(LIST)).rows;
}

function printed(weeks: Week[]): string {
  const lines = weeks.map(({ week, begins, ends, state, bytes }) =>
    [
      week.padEnd(13),
      `${begins ?? 'beginning'} to ${ends}`.padEnd(26),
      state,
      `${Math.round(bytes / 1024)} kB`,
    ].join('  '),
  );
  const archived = weeks.filter(({ state }) => state === 'archived').length;
  const note =
    archived === 0
      ? 'Nothing is archived: every event that was kept is in the database.'
      : `${archived} archived: their events are missing from lists and cannot be sent again until they are attached. Evidence is complete: chains, decisions and the audit log are not in these tables.`;
  return `${[...lines, note].join('\n')}\n`;
}

await runCommand({
  usage: USAGE,
  readOptions: parseCommand,
  run: async (command) => {
    const client = new pg.Client(await installationUrl(loadConfig(process.env), 'owner'));
    await client.connect();
    try {
      const weeks = await execute(client, command);
      process.stdout.write(command.json ? `${JSON.stringify(weeks, null, 2)}\n` : printed(weeks));
    } finally {
      await client.end();
    }
  },
});
