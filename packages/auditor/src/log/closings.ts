import { type LogClosing, parseClosing, type SignedNote } from '@countersign/proof-kit';

/** The statement with which a service closed a log after a loss. */
export interface PublishedClosing {
  closing: LogClosing;
  /** For checking its signature. */
  note: SignedNote;
  text: string;
}

/** The statements in `logs` of a service's published keys. Their signatures are not checked. */
export function publishedClosings(logs: unknown): PublishedClosing[] {
  return (Array.isArray(logs) ? logs : []).flatMap(
    (log: { follows?: { statement?: unknown } | null } | null) => {
      const text = log?.follows?.statement;
      const parsed = typeof text === 'string' ? parseClosing(text) : null;
      return parsed ? [{ ...parsed, text: text as string }] : [];
    },
  );
}
