/** The history of a log or a chain is not what was signed before. */
export class Forked extends Error {
  /** The signed notes that contradict each other, and whatever else shows it. */
  readonly notes: string[];

  constructor(reason: string, notes: string[]) {
    super(reason);
    this.name = 'Forked';
    this.notes = notes;
  }
}
