import { z } from 'zod';

/** What a mail of each kind is about: ids and plain facts to write it from when it is sent, never a token. */
export const mailKinds = {
  /** Asks somebody into a center. The link accepts. */
  invitation: z.object({ membershipId: z.string(), byActorId: z.string().nullable() }),
  /** Answers whoever says they forgot their password. Whether anybody has this address is looked up when it is sent. */
  password_reset: z.object({}),
  password_changed: z.object({ actorId: z.string() }),
  passkey_registered: z.object({ actorId: z.string(), name: z.string(), fingerprint: z.string() }),
  passkey_removed: z.object({ actorId: z.string(), name: z.string(), fingerprint: z.string() }),
} as const;

export type MailKind = keyof typeof mailKinds;
export type MailFacts<Kind extends MailKind> = z.infer<(typeof mailKinds)[Kind]>;

/** A mail to be written with a change. */
export type MailDraft = {
  [Kind in MailKind]: {
    kind: Kind;
    /** The address, normalised. */
    to: string;
    about: MailFacts<Kind>;
    /** The center that asks, where one does. */
    centerId?: number;
  };
}[MailKind];

/** Mails that others cause can be refused. Those that tell somebody what was done to their account only wait. */
export const ASKED_BY_OTHERS: readonly MailKind[] = ['invitation', 'password_reset'];
