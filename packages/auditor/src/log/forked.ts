/** A fault of a service, with its evidence. */
export class ServiceFault extends Error {
  /** The signed notes that contradict each other, and other evidence. */
  readonly notes: string[];

  constructor(reason: string, notes: string[]) {
    super(reason);
    this.notes = notes;
  }
}

/** The history of a log or chain contradicts what was signed before. */
export class Forked extends ServiceFault {
  override name = 'Forked';
}

/** A requirement that is not met now but may be later: a missing quorum, a stale head. */
export class Alarm extends ServiceFault {
  override name = 'Alarm';
}
