import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('every table of the models has its class in the table of shards, once', () => {
  const models = readdirSync(new URL('../../prisma', import.meta.url))
    .filter((name) => name.endsWith('.prisma'))
    .flatMap((name) => [...read(`prisma/${name}`).matchAll(/^model \w+ \{[\s\S]*?^\}/gm)]);
  const tables = models.map(([model]) => /@@map\("(\w+)"\)/.exec(model)![1]!);
  const doc = read('docs/scaling.md');
  const section = doc.slice(doc.indexOf('## Citus'), doc.indexOf('What else has to move'));
  const classified = [...section.matchAll(/^\|([^|]+)\|/gm)]
    .flatMap((row) => [...row[1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!))
    .filter((name) => name !== '_prisma_migrations');
  expect(classified.toSorted()).toEqual(tables.toSorted());
});
