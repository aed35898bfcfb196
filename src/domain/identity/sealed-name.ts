/** How long the centers of a person see a new name before sealed records carry it. */
const SEALED_AFTER_MS = 3_600_000;

/** A person's name and, after a recent change, the one that sealed records still carry. */
export interface ChangingName {
  name: string;
  earlierName: string | null;
  earlierNameUntil: Date | null;
}

/** The name for sealed records: the newest that the person has had for an hour. */
export function sealedName({ name, earlierName, earlierNameUntil }: ChangingName, now: Date): string {
  return earlierName !== null && earlierNameUntil !== null && earlierNameUntil > now ? earlierName : name;
}

/** The names after a change. A second change within the hour starts it again, and skips the name in between. */
export function renamed(before: ChangingName, name: string, now: Date): ChangingName {
  const earlierName = sealedName(before, now);
  if (earlierName === name) return { name, earlierName: null, earlierNameUntil: null };
  return { name, earlierName, earlierNameUntil: new Date(now.getTime() + SEALED_AFTER_MS) };
}
