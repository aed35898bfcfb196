// The policies in force in a center over time, from the versions on the journals and the relocations on the audit chain.

import type { Policy, PolicyScope } from '@countersign/proof-kit/effective-policy';
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql, typed } from '../../../../../db/sql.ts';
import { ENTRY_ROW, type Entry } from './journal.ts';

interface Version extends Policy {
  active: boolean;
  country: string | undefined;
  region: string | undefined;
}

type Move = RowOf<typeof MOVES>;

/** The center's location, which determines the country and region policies. */
type Place = Record<Move['name'], string | null>;

/**
 * A policy may be read just before a change of it commits, and an entry carries the time at which its request began. So near a
 * change, a decision may have been sealed under the policies before or after it.
 */
const TOLERANCE_MS = 60_000;

/** The policies in force over time. Each state is computed once, so decisions sealed under the same policies share one list. */
export class PolicyHistory {
  readonly #versions: { at: string; version: Version }[];
  readonly #moves: Move[];
  /** The current location, for centers that never moved. */
  readonly #place: Place;
  /** The times of all changes, in order. */
  readonly #changes: string[];
  readonly #known = new Map<number, readonly Policy[]>();

  constructor(entries: readonly Entry[], moves: readonly Move[], place: Place) {
    this.#versions = entries.flatMap(({ content, timestamp: at }) => {
      const version = versionIn(content);
      return version ? [{ at, version }] : [];
    });
    this.#moves = moves.toSorted((a, b) => compareTexts(a.at, b.at));
    this.#place = place;
    this.#changes = [...new Set([...this.#versions, ...this.#moves].map(({ at }) => at))].sort(compareTexts);
  }

  /** The policies in force at a given time, followed by those at times so near that they may have been read instead. */
  *around(at: string): Generator<readonly Policy[]> {
    const own = this.#changesUntil(at);
    yield this.#inForce(own);
    const moved = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    const last = this.#changesUntil(moved(TOLERANCE_MS));
    for (let n = this.#changesUntil(moved(-TOLERANCE_MS)); n <= last; n++)
      if (n !== own) yield this.#inForce(n);
  }

  #changesUntil(at: string): number {
    let [low, high] = [0, this.#changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#changes[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #inForce(changes: number): readonly Policy[] {
    const known = this.#known.get(changes) ?? this.#computed(this.#changes[changes - 1] ?? '');
    this.#known.set(changes, known);
    return known;
  }

  #computed(at: string): Policy[] {
    const newest = new Map<string, Version>();
    for (const { at: since, version } of this.#versions) {
      const older = newest.get(version.id);
      if (since <= at && !(older && older.version > version.version)) newest.set(version.id, version);
    }
    const country = this.#placeAt('country', at) ?? this.#placeAt('partnerCountry', at);
    const place = { country, region: this.#placeAt('region', at) };
    return [...newest.values()].filter((version) => version.active && holdsIn(version, place));
  }

  #placeAt(name: Move['name'], at: string): string | null {
    const own = this.#moves.filter((move) => move.name === name);
    const before = own.findLast((move) => move.at <= at);
    if (before) return before.to;
    return own.length > 0 ? own[0]!.from : this.#place[name];
  }
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function holdsIn({ scope, country, region }: Version, place: Pick<Place, 'country' | 'region'>): boolean {
  if (scope === 'GLOBAL' || scope === 'CENTER') return true;
  return country === place.country && (scope === 'COUNTRY' || region === place.region);
}

function versionIn(content: Entry['content']): Version | null {
  const { policyId, version, scope, actionPattern, guards, active, country, region } = content;
  const isVersion =
    typeof policyId === 'string' &&
    typeof version === 'number' &&
    typeof actionPattern === 'string' &&
    typeof guards === 'object' &&
    guards !== null;
  if (!isVersion) return null;
  return {
    id: policyId,
    version,
    scope: scope as PolicyScope,
    actionPattern,
    guards,
    active: active === true,
    country: country as string | undefined,
    region: region as string | undefined,
  };
}

const PLACE = sql('place_of_center', { country: 'text?', partnerCountry: 'text?', region: 'text?' })`
  SELECT settings->>'country' AS country, settings->>'partnerCountry' AS "partnerCountry",
  settings->>'region' AS region FROM center WHERE id = $centerId`;

const MOVES = sql('moves_of_center', {
  at: 'text',
  name: typed<'country' | 'partnerCountry' | 'region'>('text'),
  from: 'text?',
  to: 'text?',
})`
  SELECT to_char(a.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, k.name,
         a.detail->'from'->>k.name AS "from", a.detail->'to'->>k.name AS "to"
  FROM audit_entry a CROSS JOIN (VALUES ('country'), ('partnerCountry'), ('region')) AS k(name)
  WHERE a.center_id = $centerId AND a.type = 'center.updated' AND a.target = $centerId::text AND jsonb_exists(a.detail->'to', k.name)
  ORDER BY a.occurred_at, a.id`;

/** From the policy entries on the center's own journal and the platform's. */
export async function readPolicyHistory(
  db: Queryable,
  centerId: number,
  entries: readonly Entry[],
): Promise<PolicyHistory> {
  const [place] = await PLACE.rows(db, { centerId });
  const moves = await MOVES.rows(db, { centerId });
  return new PolicyHistory(entries, moves, place ?? { country: null, partnerCountry: null, region: null });
}

const VERSIONS = sql('policy_versions_of_center', ENTRY_ROW)`
  SELECT r.index, 'policy' AS kind, r.content, r.timestamp
  FROM (
    SELECT b.chain_id, b.index FROM policy p JOIN journal_by b ON b.subject = p.id AND b.kind = 'policy'
    WHERE p.center_id = $centerId OR p.center_id IS NULL
    UNION ALL
    -- The migration that writes the baseline keeps no author.
    SELECT c.id, 0 FROM ledger_chain c WHERE c.center_id IS NULL AND c.domain = 'journal') e
  JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  ORDER BY r.chain_id, r.index`;

/** The same without reading whole journals, for the verification of a single decision. */
export async function findPolicyHistory(db: Queryable, centerId: number): Promise<PolicyHistory> {
  const rows = await VERSIONS.rows(db, { centerId });
  const entries = rows.map((row) => ({
    ...row,
    content: JSON.parse(row.content) as Entry['content'],
    misplaced: null,
  }));
  return readPolicyHistory(
    db,
    centerId,
    entries.filter(({ content }) => content['kind'] === 'policy'),
  );
}
