/** The tables whose rows are compared. */
export const comparedTables = [
  'decision_event',
  'approval',
  'policy_version',
  'dpu',
  'audit_entry',
  'passkey',
  'ledger_record',
] as const;

/** A row that people see and that is not what was sealed, or a record that cannot be what it says. */
export interface Difference {
  table: (typeof comparedTables)[number];
  /** Of a record its place on its chain, such as `journal/12`. */
  id: string;
  /** The chain that says otherwise: a domain of the center, or `0/journal` for the platform's own journal. */
  chain: string;
  /** The record that says otherwise; null where none speaks of the row at all. */
  index: number | null;
  /** What differs; null where the whole row is missing, or should not be there. */
  member: string | null;
}

/** The most that a verification names. */
const MOST_DIFFERENCES = 100;

/** Collects differences, each once, until there are enough of them. */
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
