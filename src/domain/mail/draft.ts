import { z } from 'zod';

const approverKind = z.enum(['CENTER', 'PARTNER', 'PLATFORM']);

const identityFacts = z.object({
  actorId: z.string(),
  centerId: z.number(),
  provider: z.string(),
  issuer: z.string(),
});

/** The data of each kind of mail: ids and plain facts for writing it when it is sent, never a token. */
export const mailKinds = {
  /** Invites a person to a center. The link accepts. */
  invitation: z.object({
    membershipId: z.string(),
    byActorId: z.string().nullable(),
    /** Who approves after the person has accepted. */
    approver: z.object({ kind: approverKind, name: z.string() }).optional(),
  }),
  /** Tells approvers that a person has accepted an invitation. */
  membership_accepted: z.object({
    membershipId: z.string(),
    approver: approverKind,
  }),
  /** Tells a person that they can enter the center. */
  membership_approved: z.object({ membershipId: z.string() }),
  /** Tells the ADMINs of a center that a member changed their name or phone number. */
  profile_changed: z.object({
    centerId: z.number(),
    actorId: z.string(),
    /** Null if the name stays the same. */
    nameBefore: z.string().nullable(),
    name: z.string(),
    /** When sealed records take the new name; null if they carry it already. */
    sealedFrom: z.iso.datetime().nullable(),
    phoneChanged: z.boolean(),
  }),
  /** Tells the ADMINs of a center that its identity provider was set up, changed or removed. */
  provider_changed: z.object({
    centerId: z.number(),
    /** Who did it; null for the operator of the service. */
    actorId: z.string().nullable(),
    change: z.enum(['CREATED', 'CHANGED', 'REMOVED']),
    name: z.string(),
    issuer: z.string(),
    clientId: z.string(),
    /** The changed settings. */
    fields: z.array(z.string()),
  }),
  /** Asks a member to confirm another role. The link confirms. */
  role_change: z.object({
    membershipId: z.string(),
    byActorId: z.string().nullable(),
    /** The identity provider whose groups ask for it. */
    provider: z.string().optional(),
  }),
  /** Tells a person that a center has given them a guardian. */
  guardian_tied: z.object({ childId: z.string(), guardianId: z.string(), tiedBy: z.number() }),
  /** Tells an instructor that a further center requests hours or bookings. */
  calendar_request: z.object({ centerId: z.number() }),
  /** Tells an instructor that a new booking overlaps one in another center. */
  calendar_clash: z.object({ centerId: z.number() }),
  /** Answers a request to reset a password. Whether an account has this address is looked up when it is sent. */
  password_reset: z.object({}),
  password_changed: z.object({ actorId: z.string(), removedPasskeys: z.array(z.string()).default([]) }),
  passkey_registered: z.object({ actorId: z.string(), name: z.string(), fingerprint: z.string() }),
  passkey_removed: z.object({ actorId: z.string(), name: z.string(), fingerprint: z.string() }),
  /** Tells the owner of an account that an identity of a center's provider opens it, or no longer does. */
  identity_linked: identityFacts,
  identity_unlinked: identityFacts,
  /** Proves with a link that the profile of a member belongs to the person at the browser that asked. */
  identity_link: z.object({
    /** The hash of that browser's secret, by which the waiting identity is found. */
    browserHash: z.string(),
    centerId: z.number(),
    name: z.string(),
    provider: z.string(),
    issuer: z.string(),
  }),
  /** Tells the ADMINs of a center that one with emergency access signed in. */
  emergency_entry: z.object({
    centerId: z.number(),
    actorId: z.string(),
    name: z.string(),
    /** Null after a password or a passkey. */
    provider: z.string().nullable(),
    ip: z.string().nullable(),
  }),
  /** Lists the decisions that need the person's approval and were not in an earlier mail. */
  approvals_waiting: z.object({ actorId: z.string() }),
  /** Lists all decisions that the person can approve. */
  approvals_digest: z.object({ actorId: z.string() }),
} as const;

export type MailKind = keyof typeof mailKinds;
/** The stored form of the data. */
type MailInput<Kind extends MailKind> = z.input<(typeof mailKinds)[Kind]>;
export type MailFacts<Kind extends MailKind> = z.infer<(typeof mailKinds)[Kind]>;

/** A mail to be queued with a change. */
export type MailDraft = {
  [Kind in MailKind]: {
    kind: Kind;
    /** The address, normalized. */
    to: string;
    about: MailInput<Kind>;
    /** The requesting center, if any. */
    centerId?: number;
  };
}[MailKind];

/** Mails that others cause can be refused. Mails about account changes are only delayed. */
export const REFUSABLE_MAILS: readonly MailKind[] = [
  'invitation',
  'role_change',
  'password_reset',
  'identity_link',
];
