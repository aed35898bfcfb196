// The policies of a center over time, from the versions on the journals and the relocations on the audit chain.

import type { Policy, PolicyScope } from '@countersign/proof-kit/effective-policy';
import type { Queryable } from '../../../../../db/database.ts';
import { type RowOf, sql, typed } from '../../../../../db/sql.ts';
import { CLOCK_TOLERANCE_MS } from '../../../../ledger/sealer/policy-order.ts';
import type { ChainSizes } from '../../../../policies/in-force.ts';
import { ENTRY_ROW, type Entry } from './journal.ts';

interface Version extends Policy {
  active: boolean;
  country: string | undefined;
  region: string | undefined;
}

type Move = RowOf<typeof MOVES>;

/** The center's location, which determines the country and region policies. */
type Place = Record<Move['name'], string | null>;

/** How long after a change of the center's location a decision may still have been sealed under the earlier one. */
const MOVE_TOLERANCE_MS = 60_000;
/**
 * Decisions sealed before format 4 do not say how large the journals were. A policy may be read just before a change of it
 * commits, and an entry carries the time at which its request began, so that near a change either version may have decided.
 */
const VERSION_TOLERANCE_MS = 60_000;

/** How many records of the two journals were read. */
export type JournalSizes = Pick<ChainSizes, 'own' | 'platform'>;

/** A version with its place on one of the journals. */
interface PlacedVersion {
  journal: keyof JournalSizes;
  index: number;
  at: string;
  version: Version;
}

/** Some of the versions, and a text that identifies them among all. */
interface Covered {
  versions: readonly PlacedVersion[];
  key: string;
}

/** Lists are computed once, so that decisions sealed under the same policies share one. */
export class PolicyHistory {
  /** Oldest first. */
  readonly #versions: PlacedVersion[];
  readonly #moves: Move[];
  /** The current location, for centers that never moved. */
  readonly #place: Place;
  readonly #known = new Map<string, readonly Policy[]>();
  readonly #lists = new Map<string, readonly Policy[]>();

  constructor(versions: readonly PlacedVersion[], moves: readonly Move[], place: Place) {
    this.#versions = versions.toSorted((a, b) => compareTexts(a.at, b.at));
    this.#moves = moves.toSorted((a, b) => compareTexts(a.at, b.at));
    this.#place = place;
  }

  /** The policies that the journals of these sizes hold, for the location at the time of the seal and for those near it. */
  *upTo(sizes: JournalSizes, at: string): Generator<readonly Policy[]> {
    const known = this.#versions.filter(({ journal, index }) => index < sizes[journal]);
    const own = known.filter(({ journal }) => journal === 'own').length;
    yield* this.#inPlaces({ versions: known, key: `${own} of ${known.length}` }, at);
  }

  /** The policies at a time, followed by those at times so near that they may have been read instead. */
  *around(at: string): Generator<readonly Policy[]> {
    const last = shifted(at, VERSION_TOLERANCE_MS);
    const first = shifted(at, -VERSION_TOLERANCE_MS);
    const until = (moment: string) => {
      const versions = this.#versions.filter((each) => each.at <= moment);
      return { versions, key: `first ${versions.length}` };
    };
    yield* this.#inPlaces(until(at), at);
    const changes = this.#versions.filter((each) => each.at > first && each.at <= last);
    for (const moment of [first, ...changes.map((each) => each.at)]) yield* this.#inPlaces(until(moment), at);
  }

  /** Whether a version that the seal does not cover had been recorded long before it. */
  isOutdated(sizes: JournalSizes, at: string): boolean {
    const before = shifted(at, -CLOCK_TOLERANCE_MS);
    return this.#versions.some((each) => each.index >= sizes[each.journal] && each.at < before);
  }

  *#inPlaces(covered: Covered, at: string): Generator<readonly Policy[]> {
    const near = this.#moves.filter(
      (move) => move.at > shifted(at, -MOVE_TOLERANCE_MS) && move.at <= shifted(at, MOVE_TOLERANCE_MS),
    );
    const moments =
      near.length > 0 ? [at, shifted(at, -MOVE_TOLERANCE_MS), ...near.map((move) => move.at)] : [at];
    for (const moment of moments) {
      const country = this.#placeAt('country', moment) ?? this.#placeAt('partnerCountry', moment);
      yield this.#inForce(covered, { country, region: this.#placeAt('region', moment) });
    }
  }

  #inForce({ versions, key }: Covered, place: Pick<Place, 'country' | 'region'>): readonly Policy[] {
    const full = JSON.stringify([key, place.country, place.region]);
    const known = this.#known.get(full) ?? this.#computed(versions, place);
    this.#known.set(full, known);
    return known;
  }

  #computed(versions: readonly PlacedVersion[], place: Pick<Place, 'country' | 'region'>): readonly Policy[] {
    const newest = new Map<string, Version>();
    for (const { version } of versions) {
      const older = newest.get(version.id);
      if (!(older && older.version > version.version)) newest.set(version.id, version);
    }
    const found = [...newest.values()].filter((version) => version.active && holdsIn(version, place));
    const key = found.map(({ id, version }) => `${id} ${version}`).join();
    const known = this.#lists.get(key) ?? found;
    this.#lists.set(key, known);
    return known;
  }

  #placeAt(name: Move['name'], at: string): string | null {
    const own = this.#moves.filter((move) => move.name === name);
    const before = own.findLast((move) => move.at <= at);
    if (before) return before.to;
    return own.length > 0 ? own[0]!.from : this.#place[name];
  }
}

const shifted = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString();
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

type VersionEntry = Pick<Entry, 'index' | 'content' | 'timestamp'>;

/** From the policy entries on the center's own journal and the platform's. */
export async function readPolicyHistory(
  db: Queryable,
  centerId: number,
  entries: Record<keyof JournalSizes, readonly VersionEntry[]>,
): Promise<PolicyHistory> {
  const versions = (['own', 'platform'] as const).flatMap((journal) =>
    entries[journal].flatMap(({ index, content, timestamp: at }) => {
      const version = versionIn(content);
      return version ? [{ journal, index, at, version }] : [];
    }),
  );
  const [place] = await PLACE.rows(db, { centerId });
  const moves = await MOVES.rows(db, { centerId });
  return new PolicyHistory(versions, moves, place ?? { country: null, partnerCountry: null, region: null });
}

const VERSIONS = sql('policy_versions_of_center', { ...ENTRY_ROW, isPlatform: 'boolean' })`
  SELECT r.index, 'policy' AS kind, r.content, r.timestamp, e.center_id IS NULL AS "isPlatform"
  FROM (
    SELECT b.chain_id, b.index, p.center_id FROM policy p JOIN journal_by b ON b.subject = p.id AND b.kind = 'policy'
    WHERE p.center_id = $centerId OR p.center_id IS NULL
    UNION ALL
    -- The migration that writes the baseline keeps no author.
    SELECT c.id, 0, NULL FROM ledger_chain c WHERE c.center_id IS NULL AND c.domain = 'journal') e
  JOIN ledger_record r ON r.chain_id = e.chain_id AND r.index = e.index
  ORDER BY r.chain_id, r.index`;

/** The same without reading whole journals, for the verification of a single decision. */
export async function findPolicyHistory(db: Queryable, centerId: number): Promise<PolicyHistory> {
  const rows = await VERSIONS.rows(db, { centerId });
  const entries = rows.flatMap(({ content: text, ...row }) => {
    const content = JSON.parse(text) as Entry['content'];
    return content['kind'] === 'policy' ? [{ ...row, content }] : [];
  });
  const { own = [], platform = [] } = Object.groupBy(entries, ({ isPlatform }) =>
    isPlatform ? 'platform' : 'own',
  );
  return readPolicyHistory(db, centerId, { own, platform });
}
