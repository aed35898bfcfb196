// npm run generate: writes schema.graphql and openapi.json, the committed descriptions of both APIs.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { describeRoutes } from './rest/openapi/describe.ts';
import { routes } from './rest/routes/index.ts';
import { schema } from './schema/index.ts';

/** The text of each description by file name; tests compare them with the committed files. */
export const descriptions: Record<string, string> = {
  'schema.graphql': `${printSchema(lexicographicSortSchema(schema))}\n`,
  'openapi.json': `${JSON.stringify(describeRoutes(routes), null, 2)}\n`,
};

if (import.meta.main) {
  for (const [name, text] of Object.entries(descriptions)) {
    writeFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), text);
  }
}
