/** The tables whose rows are compared. */
export const comparedTables = [
  'decision_event',
  'approval',
  'policy_version',
  'approval_group',
  'delegation',
  'dpu',
  'audit_entry',
  'passkey',
  'mandate',
  'ledger_record',
] as const;

/** A visible row that differs from what was sealed, or a record that cannot be genuine. */
export interface Difference {
  table: (typeof comparedTables)[number];
  /** For a record, its position on its chain, such as `journal/12`. */
  id: string;
  /** The contradicting chain: a domain of the center, or `0/journal` for the platform's own journal. */
  chain: string;
  /** The index of the contradicting record; null if no record mentions the row. */
  index: number | null;
  /** The differing member; null if the whole row is missing or should not exist. */
  member: string | null;
}

/** The maximum number of differences that a verification reports. */
const MOST_DIFFERENCES = 100;

/** Collects distinct differences up to the maximum. */
export class Differences {
  readonly #found = new Map<string, Difference>();

  add({ table, id, chain, index, member }: Difference): void {
    const key = JSON.stringify([table, id, chain, index, member]);
    if (!this.full) this.#found.set(key, { table, id, chain, index, member });
  }

  has(id: string, member: string): boolean {
    return [...this.#found.values()].some((each) => each.id === id && each.member === member);
  }

  get count(): number {
    return this.#found.size;
  }

  get full(): boolean {
    return this.#found.size >= MOST_DIFFERENCES;
  }

  get list(): Difference[] {
    return [...this.#found.values()];
  }
}
