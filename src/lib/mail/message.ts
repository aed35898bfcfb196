export interface Message {
  /** Stays the same across retries, so that a mailbox can detect duplicates. */
  id: string;
  from: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  at: Date;
}

export type Sent =
  | { outcome: 'sent' }
  /** Undeliverable: unknown mailbox, content refused. */
  | { outcome: 'refused'; reason: string }
  /** Worth a retry: the server is busy, unreachable or silent. */
  | { outcome: 'later'; reason: string };

export interface Transport {
  send(message: Message): Promise<Sent>;
  close(): void;
}

/** The message for the mail library, with headers that suppress automatic replies and identify duplicates. */
export function composed({ id, from, to, subject, text, html, at }: Message) {
  const host = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    date: at,
  };
}
