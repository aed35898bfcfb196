// Prints src/api-types.ts: the types of the schemas in openapi.json that src/types.ts names, and of those they refer to.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const namesIn = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

const { openapi, info, components } = JSON.parse(read('../../openapi.json'));
const schemas = {};
const names = new Set(namesIn(read('src/types.ts'), /Schemas\['(\w+)'\]/g));
// A set visits the names that are added on the way.
for (const name of names) {
  schemas[name] = components.schemas[name];
  const text = JSON.stringify(schemas[name]);
  for (const other of namesIn(text, /"#\/components\/schemas\/(\w+)"/g)) names.add(other);
}

const types = await openapiTS(
  { openapi, info, paths: {}, components: { schemas } },
  { defaultNonNullable: false },
);
process.stdout.write(`${COMMENT_HEADER}${astToString(types)}`);
