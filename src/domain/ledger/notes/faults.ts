/** A fault of a chain, found by comparing it with what was signed about it. */
export interface Finding {
  kind: FindingKind;
  /** The first index that differs, as precisely as it can be determined. */
  index: number;
  message: string;
}

export type FindingKind =
  /** Records covered by a checkpoint are missing. */
  | 'cut_tail'
  /** Records differ from those covered by a checkpoint. */
  | 'rewritten'
  /** A record has a wrong hash or link. */
  | 'broken_record'
  /** The records are intact, but the stored tree over them was changed. */
  | 'damaged_tree'
  /** A stored checkpoint was not signed by this service. */
  | 'forged_checkpoint'
  /** The file outside the database holds a checkpoint that is missing from the table. */
  | 'missing_checkpoint'
  /** A checkpoint of this chain was signed by a key that is not in the key history. */
  | 'unknown_key'
  /** The chain has another chain's name. */
  | 'other_origin';

/** A signed size, and whether the file or the checkpoint table holds it. */
interface LostHistory {
  size: number;
  source: 'file' | 'table';
}

/** Thrown while a checkpoint is being made. Nothing may be signed. */
export class HistoryChanged extends Error {
  readonly finding: Finding;
  /** The commitment whose records are missing from the database; null for other faults. */
  readonly lost: LostHistory | null;

  constructor(kind: FindingKind, index: number, message: string, lost: LostHistory | null = null) {
    super(message);
    this.name = 'HistoryChanged';
    this.finding = { kind, index, message };
    this.lost = lost;
  }
}

/** Thrown if nothing at all may be signed any more, because the keys, the log or the key history were altered. */
export class SigningRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'SigningRefused';
  }
}
