/**
 * Started with `--import` of this file, a process has one more member of a decision: the modules named here are loaded as copies
 * with one more line. These are the two places where a new member changes what can be recorded and proven; every further one (its
 * field in GraphQL, its entry in the Python verifier, the changelog) only shows or describes it.
 */
import { registerHooks } from 'node:module';

/** By the end of the module's address: the line before, and the new line. */
const ADDED: Record<string, [before: string, line: string]> = {
  '/packages/proof-kit/src/decision.ts': [
    'export const EVENT_TABLE = {',
    "urgency: maybe(fraction, { label: ['Decision', 'urgency'] }),",
  ],
  '/src/domain/decisions/input.ts': [
    'export const recordDecisionInput = z.strictObject({',
    "urgency: z.number().optional().describe('How urgent it was.'),",
  ],
};

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const change = Object.entries(ADDED).find(([end]) => url.endsWith(end))?.[1];
    if (!change) return loaded;
    const [before, line] = change;
    const source = String(loaded.source);
    if (!source.includes(`${before}\n`)) throw new Error(`${url} has no line "${before}"`);
    return { ...loaded, source: source.replace(`${before}\n`, `${before}\n${line}\n`) };
  },
});
