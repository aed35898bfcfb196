/** A mail as the transport takes it. */
export interface Message {
  /** Stays the same when the mail is tried again, so that a mailbox can tell a repetition. */
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
}

/** What has become of an attempt to send. */
export type Sent =
  | { outcome: 'sent' }
  /** Never deliverable: unknown mailbox, content refused. */
  | { outcome: 'refused'; reason: string }
  /** Worth another try: the server is busy, out of reach or silent. */
  | { outcome: 'later'; reason: string };

/** The way out for mail. */
export interface Transport {
  send(message: Message): Promise<Sent>;
  close(): void;
}

/** Headers that keep holiday notes and the like from answering, and tell repetitions apart. */
export function headersOf({ id, from }: Message) {
  const host = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}
