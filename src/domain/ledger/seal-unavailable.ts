import { DomainError } from '../../lib/errors.ts';

/** The chain cannot be written to at the moment. Unless `unknown`, nothing was written; a repeat may work. */
export class SealUnavailable extends DomainError {
  /** The connection broke while committing: the records may or may not be there. */
  readonly unknown: boolean;

  constructor(cause: unknown, unknown = false) {
    super('SERVICE_UNAVAILABLE', 'The ledger cannot be written to just now; try again.', {
      retryAfter: 1,
      cause,
    });
    this.name = 'SealUnavailable';
    this.unknown = unknown;
  }
}
