// npm run generate: writes schema.graphql, openapi.json and the table of members in the format of proofs.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { withMembers } from './members-table.ts';
import { describeRoutes } from './rest/openapi/describe.ts';
import { routes } from './rest/routes/index.ts';
import { schema } from './schema/index.ts';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const FORMAT = 'docs/proof-format.md';

/** The text of each description by file name; tests compare them with the committed files. */
export const descriptions: Record<string, string> = {
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'openapi.json': `${JSON.stringify(describeRoutes(routes), null, 2)}\n`,
  [FORMAT]: withMembers(readFileSync(pathOf(FORMAT), 'utf8')),
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(descriptions)) {
    writeFileSync(pathOf(name), text);
  }
}
