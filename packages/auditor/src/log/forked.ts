/** The history of a log or chain contradicts what was signed before. */
export class Forked extends Error {
  /** The signed notes that contradict each other, and other evidence. */
  readonly notes: string[];

  constructor(reason: string, notes: string[]) {
    super(reason);
    this.name = 'Forked';
    this.notes = notes;
  }
}
