/** How many statements lost a filter. */
export const stripped = { prisma: 0, raw: 0 };

const FILTER = /(?<!SET )(?:\b\w+\.)?\bcenter_id = (\$\d+)(?:::int)?/g;

/** The same statement under another name, as if its filter had been forgotten. */
export function open<T extends { text: string; name?: string }>(statement: T): T {
  const text = statement.text.replace(FILTER, '($1::int IS NULL OR true)'.replace('$1', '$$1'));
  if (text === statement.text) return statement;
  stripped.raw++;
  return { ...statement, text, ...(statement.name && { name: `${statement.name}_open` }) };
}
