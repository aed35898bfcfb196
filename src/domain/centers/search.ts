import { z } from 'zod';
import { Prisma, type Tx } from '../../db/database.ts';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { type Page, type PageRequest, pageRequest, skipOf, toPage } from '../../lib/paging.ts';
import { escapeLike, plainText } from '../../lib/text.ts';
import type { Context } from '../context.ts';

const LAST_PAGE = 1_000_000;

export const searchCentersInput = z.object({
  query: plainText(200).nullish(),
  vertical: z.enum(Vertical).nullish(),
  page: z.int().min(1).max(LAST_PAGE).nullish(),
  limit: z.int().min(1).nullish(),
});

export type SearchCentersInput = z.infer<typeof searchCentersInput>;

export interface FoundCenter {
  name: string;
  centerDomain: string;
  vertical: Vertical;
  description: string;
  logo: string;
}

/** How alike a text must be. Whoever types well gets close matches only; the looser steps are for typing errors. */
const THRESHOLDS = ['0.6', '0.4', '0.25'];

/** With fewer trigrams than this nearly every center would have to be looked at. */
const FEWEST_TRIGRAMS = 4;

/** Words that fit nearly everything are not worth ranking it all: no more matches than this are looked at. */
const MOST_MATCHES = 10_000;

const TIMEOUT_MS = 15_000;

/** Open centers, for anybody. With words: whatever resembles them, best match first. Without: all, by name. */
export async function searchCenters({ app }: Context, input: SearchCentersInput): Promise<Page<FoundCenter>> {
  const request = pageRequest(input.page ?? undefined, input.limit ?? undefined);
  const text = input.query?.trim().toLowerCase() ?? '';
  const open = Prisma.sql`status = 'ACTIVE' ${ofVertical(input.vertical)}`;
  const { acrossTenants: db } = app.db;
  if (text === '') return listByName(db, open, request);
  if (!(await hasTrigrams(db, text))) return listByName(db, Prisma.sql`${open} ${containing(text)}`, request);
  return db.$transaction(
    async (tx) => {
      for (const threshold of THRESHOLDS) {
        await tx.$executeRaw`SELECT set_config('pg_trgm.word_similarity_threshold', ${threshold}, true)`;
        const page = await findAlike(tx, open, text, request);
        if (page.info.total > 0) return page;
      }
      return toPage([], 0, request);
    },
    { timeout: TIMEOUT_MS, maxWait: TIMEOUT_MS },
  );
}

/** Which letters make trigrams depends on the locale of the database, so the database is asked. */
async function hasTrigrams(db: Tx, text: string): Promise<boolean> {
  const [row] = await db.$queryRaw<{ count: number }[]>`SELECT cardinality(show_trgm(${text})) AS count`;
  return row!.count >= FEWEST_TRIGRAMS;
}

const columns = Prisma.sql`c.name, c.center_domain AS "centerDomain", c.vertical, c.description, c.logo`;

async function listByName(db: Tx, where: Prisma.Sql, request: PageRequest): Promise<Page<FoundCenter>> {
  const items = await db.$queryRaw<FoundCenter[]>`
    SELECT ${columns} FROM center c WHERE ${where}
    ORDER BY lower(c.name), c.id LIMIT ${request.limit} OFFSET ${skipOf(request)}`;
  const counted = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM center c WHERE ${where}`;
  return toPage(items, counted[0]!.total, request);
}

/** Looks at every match once, for the count and for its rank; the trigram index center_search_idx finds them. */
async function findAlike(
  tx: Tx,
  open: Prisma.Sql,
  text: string,
  request: PageRequest,
): Promise<Page<FoundCenter>> {
  const [found] = await tx.$queryRaw<{ total: number; items: FoundCenter[] }[]>`
    WITH match AS MATERIALIZED (
      SELECT id, ${closeness(text)} AS score FROM center WHERE ${open} AND ${resembling(text)}
      LIMIT ${MOST_MATCHES}
    ), page AS (
      SELECT ${columns}, match.score, c.id FROM match JOIN center c USING (id)
      ORDER BY match.score DESC, lower(c.name), c.id LIMIT ${request.limit} OFFSET ${skipOf(request)}
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

/** One or two plain letters are the beginning of a name; other scripts say a whole word with as many. */
function containing(text: string): Prisma.Sql {
  if (/^[ -~]{1,2}$/.test(text)) return Prisma.sql`AND lower(name) LIKE ${`${escapeLike(text)}%`}`;
  const words = text.split(/\s+/).map((word) => `%${escapeLike(word)}%`);
  return Prisma.sql`AND lower(name) LIKE ALL (${words})`;
}

/** Alike by trigrams, or containing the text as it stands, also inside of words (where the pattern has trigrams). */
function resembling(text: string): Prisma.Sql {
  const part = `%${escapeLike(text)}%`;
  const within = /[a-z0-9]{3}/.test(text)
    ? Prisma.sql`OR lower(name) LIKE ${part} OR center_domain LIKE ${part}`
    : Prisma.empty;
  return Prisma.sql`(
    ${text} <% lower(name) OR ${text} <% center_domain OR ${text} <% lower(description) ${within})`;
}

/** A name equal to the query comes first, then names and domains with its words; mere descriptions come last. */
function closeness(text: string): Prisma.Sql {
  return Prisma.sql`2 * greatest(word_similarity(${text}, lower(name)), word_similarity(${text}, center_domain))
    + similarity(${text}, lower(name))`;
}
