import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { statements } from '../../src/db/sql.ts';
import { systemContext } from '../../src/domain/context.ts';
import { listDecisionEvents } from '../../src/domain/decisions/read/list-events.ts';
import { testApp } from '../helpers/app.ts';
import { makeStage } from '../helpers/world.ts';

const SOURCE = join(import.meta.dirname, '../../src');
/** Programs and threads, which run when they are loaded, and code for browsers. */
const NOT_LOADED = ['main.ts', 'commands/*.ts', '**/sandbox/**', '**/*-thread.ts', '**/browser/**'];

interface Field {
  name: string;
  dataTypeID: number;
}

/** Asks the server for the result columns of a statement, without running it. */
class Description implements pg.Submittable {
  readonly #text: string;
  readonly #done = Promise.withResolvers<Field[]>();
  #fields: Field[] = [];
  readonly fields = this.#done.promise;

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error): void {
    this.#done.reject(error);
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#fields);
  }
}

// Which columns can be null is not part of a description, so nothing checks the question marks.
test('every statement returns the columns that it declares', async () => {
  for await (const file of glob('**/*.ts', { cwd: SOURCE, exclude: NOT_LOADED }))
    await import(join(SOURCE, file));
  const { app, database } = await testApp();
  const { center } = await makeStage(app);
  // Composed statements are defined at their first call.
  await listDecisionEvents(systemContext(app, 'test', center.id), {}, 20, 0);
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const declared = statements.filter(({ columns }) => columns);
  expect(declared.length).toBeGreaterThan(100);
  const types = new Set(declared.flatMap(({ columns }) => Object.values(columns!).map(withoutMark)));
  const resolved = await client.query<{ type: string; name: string }>(
    'SELECT type, type::regtype::text AS name FROM unnest($1::text[]) type',
    [[...types]],
  );
  const fullNames = new Map(resolved.rows.map(({ type, name }) => [type, name]));
  const known = await client.query<{ oid: number; name: string }>(
    'SELECT oid::int, oid::regtype::text AS name FROM pg_type',
  );
  const nameByOid = new Map(known.rows.map(({ oid, name }) => [oid, name]));
  for (const { name, text, columns } of statements) {
    // Parsing finds faults in every statement, also in those without columns.
    const fields = await client.query(new Description(text)).fields;
    if (!columns) continue;
    const expected = Object.entries(columns).map(([column, type]) => [
      column,
      fullNames.get(withoutMark(type)),
    ]);
    const described = fields.map((field) => [field.name, nameByOid.get(field.dataTypeID)]);
    expect.soft(described.toSorted(), name ?? text).toEqual(expected.toSorted());
  }
});

const withoutMark = (type: string) => type.replace('?', '');
