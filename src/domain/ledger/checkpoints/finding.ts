/** What is wrong with a chain, seen from what was signed about it before. */
export interface Finding {
  kind: FindingKind;
  /** The first index that is not as it was, as near as can be told. */
  index: number;
  message: string;
}

export type FindingKind =
  /** Records that a checkpoint covers are gone. */
  | 'cut_tail'
  /** Records are others than those a checkpoint covers. */
  | 'rewritten'
  /** A record does not have the hash or the link it should have. */
  | 'broken_record'
  /** The records are fine, but the stored tree over them was changed. */
  | 'damaged_tree'
  /** A stored checkpoint is not one that this service signed. */
  | 'forged_checkpoint'
  /** The file outside the database holds a checkpoint that the table has lost. */
  | 'missing_checkpoint'
  /** A checkpoint of this chain was signed by a key that the history of keys does not know. */
  | 'unknown_key'
  /** The chain goes by a name that is not its own. */
  | 'other_origin';

/** A signed size, and whether the file or the table of checkpoints knows it. */
export interface LostHistory {
  size: number;
  source: 'file' | 'table';
}

/** Thrown while a checkpoint is being made: nothing may be signed. */
export class HistoryChanged extends Error {
  readonly finding: Finding;
  /** What was signed and is missing from the database; null where that is not the fault. */
  readonly lost: LostHistory | null;

  constructor(kind: FindingKind, index: number, message: string, lost: LostHistory | null = null) {
    super(message);
    this.name = 'HistoryChanged';
    this.finding = { kind, index, message };
    this.lost = lost;
  }
}
