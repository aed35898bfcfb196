import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bindCenterIds } from '../../src/db/cell.ts';
import { type TestDatabase, testDatabase } from '../helpers/database.ts';
import { bareEnvironment } from '../helpers/process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function run(database: TestDatabase, cell: string, command: string, args: string[]) {
  const env = bareEnvironment({
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: database.dataDir,
    JWT_SECRET: 'Zk8vQ2xW7rT4yN1mB6pL9sD3fG5hJ0cA',
    CELL: cell,
  });
  const file = `${root}/src/commands/${command}.ts`;
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [file, ...args], { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

const commands: [command: string, args: string[], refused: number][] = [
  ['recover', ['inspect'], 2],
  ['partitions', ['list'], 1],
  ['signing-keys', ['list'], 1],
  ['keys', ['list', 'none'], 1],
  ['admin', ['reencrypt'], 1],
];

test('commands reject the database of another cell with a one-line error', async () => {
  const database = await testDatabase();
  await bindCenterIds(database.ownerUrl, 'b');
  const answers = await Promise.all(
    commands.map(async ([command, args]) => ({ command, ...(await run(database, 'a', command, args)) })),
  );
  for (const [command, , code] of commands) {
    const answer = answers.find((each) => each.command === command);
    expect(answer).toMatchObject({ command, code, stdout: '' });
    expect(answer!.stderr).toBe(
      'CELL must be b on this database: its centers have ids of cell b, and CELL is a\n',
    );
  }
  expect(await run(database, 'b', 'partitions', ['list'])).toMatchObject({ code: 0, stderr: '' });
});
