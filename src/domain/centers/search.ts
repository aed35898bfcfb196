import { z } from 'zod';
import { type Db, Prisma } from '../../db/database.ts';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { doc } from '../../lib/doc.ts';
import { type Page, type PageRequest, pageRequest, skipOf, toPage } from '../../lib/paging.ts';
import { plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';
import { readTallies } from '../tallies/tally.ts';

const LAST_PAGE = 1_000_000;

export const searchCentersInput = z.object({
  query: plainText(200)
    .nullish()
    .meta(doc('The text to search for, at most 200 characters; typing errors are tolerated.', 'rehab')),
  vertical: z.enum(Vertical).nullish().describe('Only centers of this vertical.'),
  page: z
    .int()
    .min(1)
    .max(LAST_PAGE)
    .nullish()
    .meta(doc('The number of the page to return, from 1. Default: 1.', 1)),
  limit: z.int().min(1).nullish().meta(doc('Items per page; more than 100 counts as 100. Default: 50.', 20)),
});

export type SearchCentersInput = z.infer<typeof searchCentersInput>;

export interface FoundCenter {
  name: string;
  centerDomain: string;
  vertical: Vertical;
  description: string;
  logo: string;
}

/** No one types more words, and each is looked up. */
const MOST_WORDS = 8;

/** Words of at most this many centers are rare: their centers are examined one by one. */
const FEW = 300;

/** The maximum number of matches that are ranked, for words that match nearly everything. */
const MOST_MATCHES = 2_000;

/** Open centers, for anyone. With words: centers with these or similar words, best match first. Without: all, by name. */
export async function searchCenters(ctx: Context, input: SearchCentersInput): Promise<Page<FoundCenter>> {
  const request = pageRequest(input);
  const text = input.query?.trim().toLowerCase() ?? '';
  const { acrossTenants: db } = ctx.reads;
  if (text === '') return listAll(ctx, input.vertical, request);
  const open = Prisma.sql`status = 'ACTIVE' ${ofVertical(input.vertical)}`;
  // One or two plain letters are treated as the beginning of a name.
  if (/^[a-z0-9]{1,2}$/.test(text)) return listBeginning(db, open, text, request);
  const meanings = await meaningsOf(db, text);
  if (meanings.length === 0) return toPage([], 0, request);
  const withAll = await findMatches(db, open, text, havingAll(meanings), request);
  if (withAll.info.total > 0 || meanings.length === 1) return withAll;
  const any = having(meanings.flatMap(({ meant }) => meant));
  return findMatches(db, open, text, any, request);
}

const columns = Prisma.sql`c.name, c.center_domain AS "centerDomain", c.vertical, c.description, c.logo`;

async function listAll(
  { reads }: Context,
  vertical: Vertical | null | undefined,
  request: PageRequest,
): Promise<Page<FoundCenter>> {
  const items = await reads.acrossTenants.$queryRaw<FoundCenter[]>`
    SELECT ${columns} FROM center c WHERE status = 'ACTIVE' ${ofVertical(vertical)}
    ORDER BY c.sort_name, c.id LIMIT ${request.limit} OFFSET ${skipOf(request)}`;
  const verticals = vertical ? [vertical] : Object.values(Vertical);
  // Database triggers maintain these counts (migration tallies).
  const counts = await readTallies(
    reads.declared([]),
    verticals.map((each) => `open-centers:${each}`),
  );
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return toPage(items, total, request);
}

async function listBeginning(
  db: Db,
  open: Prisma.Sql,
  text: string,
  request: PageRequest,
): Promise<Page<FoundCenter>> {
  const where = Prisma.sql`${open} AND c.sort_name ^@ ${text}`;
  const items = await db.$queryRaw<FoundCenter[]>`
    SELECT ${columns} FROM center c WHERE ${where}
    ORDER BY c.sort_name, c.id LIMIT ${request.limit} OFFSET ${skipOf(request)}`;
  const counted = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM center c WHERE ${where}`;
  return toPage(items, counted[0]!.total, request);
}

interface Meaning {
  /** Words of centers. */
  meant: string[];
  /** How many centers have them, counted up to one more than the threshold. */
  spread: number;
}

/** The possible matches of each word of the text, rarest first. Words that resemble none are skipped. */
function meaningsOf(db: Db, text: string): Promise<Meaning[]> {
  return db.$queryRaw<Meaning[]>`
    SELECT meant, (SELECT count(*)::int FROM (
      SELECT FROM center_word w WHERE w.word = ANY (meant) LIMIT ${FEW + 1}) counted) AS spread
    FROM (SELECT words_meant(word) AS meant FROM unnest(search_words(${text})) word LIMIT ${MOST_WORDS}) known
    WHERE meant IS NOT NULL ORDER BY spread`;
}

/**
 * Centers that match every word. If one is rare, its centers are read first and checked for the others. PostgreSQL does not
 * know how common a word is and might start with a very frequent one.
 */
function havingAll(meanings: Meaning[]): Prisma.Sql {
  const [rarest, ...others] = meanings as [Meaning, ...Meaning[]];
  if (rarest.spread > FEW)
    return Prisma.join(
      meanings.map(({ meant }) => having(meant)),
      ' AND ',
    );
  const too = others.map(
    ({ meant }) => Prisma.sql`AND EXISTS (
      SELECT FROM center_word o WHERE o.word = ANY (${meant}) AND o.center_id = w.center_id OFFSET 0)`,
  );
  const rest = too.length > 0 ? Prisma.join(too, ' ') : Prisma.empty;
  return Prisma.sql`id = ANY (ARRAY (
    SELECT w.center_id FROM center_word w WHERE w.word = ANY (${rarest.meant}) ${rest}))`;
}

/** Centers that have one of the words. */
const having = (words: string[]) =>
  Prisma.sql`id IN (SELECT w.center_id FROM center_word w WHERE w.word = ANY (${words}))`;

/** Reads every match once, for the count and for its rank. */
async function findMatches(
  db: Db,
  open: Prisma.Sql,
  text: string,
  matching: Prisma.Sql,
  request: PageRequest,
): Promise<Page<FoundCenter>> {
  const [found] = await db.$queryRaw<{ total: number; items: FoundCenter[] }[]>`
    WITH match AS MATERIALIZED (
      SELECT id, ${closeness(text)} AS score FROM center WHERE ${open} AND (${matching})
      LIMIT ${MOST_MATCHES}
    ), page AS (
      SELECT ${columns}, match.score, c.id FROM match JOIN center c USING (id)
      ORDER BY match.score DESC, c.sort_name, c.id LIMIT ${request.limit} OFFSET ${skipOf(request)}
    )
    SELECT (SELECT count(*)::int FROM match) AS total,
           (SELECT coalesce(json_agg(page ORDER BY score DESC, lower(name), id), '[]') FROM page) AS items`;
  const items = found!.items.map(({ name, centerDomain, vertical, description, logo }) => ({
    name,
    centerDomain,
    vertical,
    description,
    logo,
  }));
  return toPage(items, found!.total, request);
}

function ofVertical(vertical: Vertical | null | undefined): Prisma.Sql {
  return vertical ? Prisma.sql`AND vertical = ${vertical}::vertical` : Prisma.empty;
}

/** A name equal to the query comes first, then names and domains with its words, then descriptions. */
function closeness(text: string): Prisma.Sql {
  return Prisma.sql`2 * greatest(word_similarity(${text}, lower(name)), word_similarity(${text}, center_domain))
    + similarity(${text}, lower(name))`;
}
