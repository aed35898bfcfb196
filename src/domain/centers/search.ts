import { z } from 'zod';
import { Prisma } from '../../db/database.ts';
import { Vertical } from '../../db/generated/prisma/enums.ts';
import { type Page, pageRequest, skipOf, toPage } from '../../lib/paging.ts';
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

/** How alike a text must be: low enough for two letters swapped at the start of a short word. */
const THRESHOLD = '0.25';

/**
 * Open centers, for anybody. With words: whatever resembles them, best match first; the conditions are written so
 * that the trigram index center_search_idx answers them. Without: all, by name.
 */
export async function searchCenters({ app }: Context, input: SearchCentersInput): Promise<Page<FoundCenter>> {
  const request = pageRequest(input.page ?? undefined, input.limit ?? undefined);
  const text = input.query?.trim().toLowerCase() ?? '';
  const where = Prisma.sql`status = 'ACTIVE' ${ofVertical(input.vertical)} ${text ? resembling(text) : Prisma.empty}`;
  const order = text ? Prisma.sql`${closeness(text)} DESC, lower(name), id` : Prisma.sql`lower(name), id`;
  const { acrossTenants: db } = app.db;
  const [, found, counted] = await db.$transaction([
    db.$executeRaw`SELECT set_config('pg_trgm.word_similarity_threshold', ${THRESHOLD}, true)`,
    db.$queryRaw<FoundCenter[]>`
      SELECT name, center_domain AS "centerDomain", vertical, description, logo
      FROM center WHERE ${where} ORDER BY ${order} LIMIT ${request.limit} OFFSET ${skipOf(request)}`,
    db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM center WHERE ${where}`,
  ]);
  return toPage(found, counted[0]!.total, request);
}

function ofVertical(vertical: Vertical | null | undefined): Prisma.Sql {
  return vertical ? Prisma.sql`AND vertical = ${vertical}::vertical` : Prisma.empty;
}

/** Alike by trigrams, or containing the text as it stands (one or two letters have hardly any trigrams). */
function resembling(text: string): Prisma.Sql {
  const part = `%${escapeLike(text)}%`;
  return Prisma.sql`AND (
    ${text} <% lower(name) OR ${text} <% lower(description) OR ${text} <% center_domain
    OR lower(name) LIKE ${part} OR center_domain LIKE ${part})`;
}

/** The name counts most, a name equal to the query most of all; the description only breaks ties. */
function closeness(text: string): Prisma.Sql {
  return Prisma.sql`(
    2 * greatest(word_similarity(${text}, lower(name)), word_similarity(${text}, center_domain))
    + similarity(${text}, lower(name)) + word_similarity(${text}, lower(description)) / 2)`;
}
