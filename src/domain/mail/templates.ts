import type { Prisma } from '../../db/database.ts';
import type { Infrastructure } from '../context.ts';
import { roleLabel } from '../role-labels.ts';
import type { MailFacts, MailKind } from './draft.ts';
import { type MailContent, moment, safeText } from './layout.ts';
import { INVITATION_DAYS, linkTo, makeLinkToken, PASSWORD_LINK_HOURS } from './link-token.ts';

/** What a mail is written from, besides its own data. */
export interface MailContext {
  app: Infrastructure;
  mailId: string;
  /** The recipient's address. */
  to: string;
  now: Date;
}

/** The maximum number of accounts with the same address that get a link each. */
const MOST_ACCOUNTS = 5;

/**
 * One writer per kind of mail. Each reads the current state at the time of sending and creates the tokens of its links then.
 * Null means that there is nothing to send any more.
 */
export type MailTemplates = {
  [Kind in MailKind]: (facts: MailFacts<Kind>, occasion: MailContext) => Promise<MailContent | null>;
};

/** Kinds that are written elsewhere. */
type Elsewhere =
  | 'approvals_waiting'
  | 'approvals_digest'
  | 'identity_link'
  | 'identity_linked'
  | 'identity_unlinked'
  | 'emergency_entry';

export const accountMails: Omit<MailTemplates, Elsewhere> = {
  async invitation({ approver, ...facts }, occasion) {
    const asked = await membershipLink(occasion, 'INVITATION', facts, { status: 'INVITED' });
    if (!asked) return null;
    const { membership, center, url, asker: inviter } = asked;
    const by = inviter
      ? `${safeText(inviter.name)}${inviter.email ? ` (${inviter.email})` : ''}`
      : 'the operator of the service';
    return {
      subject: `Invitation to ${center}`,
      lead: `You are invited to join “${center}”. Nothing happens unless you accept.`,
      facts: [
        ['Center', center],
        ['Address', `${membership.center.centerDomain}`],
        ['Your role', roleLabel(membership.role, membership.center.vertical)],
        ['Invited by', by],
      ],
      actions: [{ label: 'View the invitation', url }],
      notes: [
        `The link works once and for ${INVITATION_DAYS} days. It is for you only: do not forward this email.`,
        ...(approver
          ? [
              `After you accept, ${approverLabel(approver)} approves your membership. You will get an email then.`,
            ]
          : []),
        'If you do not know this center or did not expect this, ignore this email. The sender does not learn whether you have an account.',
      ],
    };
  },

  async membership_accepted({ membershipId, approver }, { app }) {
    const membership = await app.db.acrossTenants.membership.findUnique({
      where: { id: membershipId, status: 'PENDING' },
      include: { center: true, actor: true },
    });
    if (!membership?.actor) return null;
    const { center, actor } = membership;
    const person = safeText(actor.name);
    const pages = {
      CENTER: `/c/${center.centerDomain}/people?status=PENDING`,
      PARTNER: '/partner/members?status=PENDING',
      PLATFORM: '/platform/centers',
    };
    return {
      subject: `${person} is waiting for your approval`,
      lead: `${person} has accepted the invitation to “${safeText(center.name)}” and can enter once you approve.`,
      facts: [
        ['Center', safeText(center.name)],
        ['Person', `${person}${actor.email ? ` (${actor.email})` : ''}`],
        ['Role', roleLabel(membership.role, center.vertical)],
      ],
      actions: [{ label: 'Review the request', url: `${app.config.publicUrl}${pages[approver]}` }],
      notes: ['If you do not expect this person, decline the request there.'],
    };
  },

  async membership_approved({ membershipId }, { app }) {
    const membership = await app.db.acrossTenants.membership.findUnique({
      where: { id: membershipId, status: 'ACTIVE' },
      include: { center: true },
    });
    if (!membership) return null;
    const center = safeText(membership.center.name);
    return {
      subject: `Welcome to ${center}`,
      lead: `Your membership in “${center}” was approved. You can sign in now.`,
      facts: [
        ['Center', center],
        ['Your role', roleLabel(membership.role, membership.center.vertical)],
      ],
      actions: [
        {
          label: `Open ${center}`,
          url: `${app.config.publicUrl}/c/${membership.center.centerDomain}`,
        },
      ],
      notes: [],
    };
  },

  async profile_changed({ centerId, nameBefore, name, sealedFrom, phoneChanged }, { app }) {
    const center = await app.db.acrossTenants.center.findUniqueOrThrow({ where: { id: centerId } });
    const [before, after] = [safeText(nameBefore ?? name), safeText(name)];
    const isRenamed = nameBefore !== null;
    const facts: Fact[] = [['Center', safeText(center.name)]];
    if (isRenamed) facts.push(['Name before', before]);
    facts.push(['Name', after]);
    if (sealedFrom) facts.push(['On approvals from', moment(new Date(sealedFrom))]);
    if (phoneChanged) facts.push(['Phone number', 'changed']);
    return {
      subject: isRenamed ? `${before} is now called ${after}` : `${after} changed their phone number`,
      lead: isRenamed
        ? `${before}, a member of “${safeText(center.name)}”, changed their name to ${after}.`
        : `${after}, a member of “${safeText(center.name)}”, changed their phone number.`,
      facts,
      actions: [
        { label: 'Open the members', url: `${app.config.publicUrl}/c/${center.centerDomain}/people` },
      ],
      notes: [
        'If this is not the name you know this person by, suspend the membership and ask them. The audit log keeps both names.',
      ],
    };
  },

  async provider_changed({ centerId, actorId, change, name, issuer, clientId, fields }, { app, now }) {
    const db = app.db.acrossTenants;
    const center = await db.center.findUniqueOrThrow({ where: { id: centerId } });
    const author = actorId === null ? null : await db.actor.findUnique({ where: { id: actorId } });
    const where = safeText(center.name);
    const what = { CREATED: 'set up', CHANGED: 'changed', REMOVED: 'removed' }[change];
    const facts: Fact[] = [
      ['Center', where],
      ['Provider', safeText(name)],
      ['Issuer', safeText(issuer)],
      ['Client', safeText(clientId)],
    ];
    if (change === 'CHANGED') facts.push(['Changed', fields.join(', ')]);
    if (author) facts.push(['By', safeText(author.name)]);
    if (actorId === null) facts.push(['By', 'the operator of the service']);
    facts.push(['When', moment(now)]);
    return {
      subject: `Company sign-in was ${what} in ${where}`,
      lead: `The identity provider with which people sign in to “${where}” was ${what}.`,
      facts,
      actions: [
        {
          label: 'Open the settings',
          url: `${app.config.publicUrl}/c/${center.centerDomain}/settings/sign-in`,
        },
      ],
      notes: [
        'A provider decides who can enter the center. If you did not expect this, ask the administrator who did it, and check the audit log.',
      ],
    };
  },

  async role_change(facts, occasion) {
    const asked = await membershipLink(occasion, 'ROLE', facts, { pendingRole: { not: null } });
    if (!asked) return null;
    const { membership, center, url, asker } = asked;
    const newRole = roleLabel(membership.pendingRole!, membership.center.vertical);
    const { provider } = facts;
    const service = provider === undefined ? 'the operator of the service' : safeText(provider);
    const askedBy = asker ? safeText(asker.name) : service;
    return {
      subject: `Confirm your new role in ${center}`,
      lead: `“${center}” asks to change your role to ${newRole}. Nothing changes unless you confirm.`,
      facts: [
        ['Center', center],
        ['Your role', roleLabel(membership.role, membership.center.vertical)],
        ['New role', newRole],
        ['Asked by', askedBy],
      ],
      actions: [{ label: 'Review the change', url }],
      notes: [
        'As a CHILD you can get a guardian, who sees the names of all centers you belong to.',
        `The link works once and for ${INVITATION_DAYS} days. If you do not want this, ignore this email.`,
      ],
    };
  },

  async guardian_tied({ guardianId, tiedBy }, { app, to, now }) {
    const db = app.db.acrossTenants;
    const guardian = await db.actor.findUniqueOrThrow({ where: { id: guardianId } });
    const center = await db.center.findUniqueOrThrow({ where: { id: tiedBy } });
    return {
      subject: 'You now have a guardian',
      lead: `“${safeText(center.name)}” has named a guardian for you, who sees the names of all centers you belong to.`,
      facts: [
        ['Account', to],
        ['Guardian', safeText(guardian.name)],
        ['Center', safeText(center.name)],
        ['When', moment(now)],
      ],
      actions: [],
      notes: ['If this is not right, end it under “Your account”, or ask a center that you belong to.'],
    };
  },

  async calendar_request({ centerId }, { app }) {
    const { name, url } = await calendarOf(app, centerId);
    return {
      subject: `${name} asks you to confirm hours or bookings`,
      lead: `“${name}” has entered hours or bookings for you. Nothing takes effect until you confirm it.`,
      facts: [['Center', name]],
      actions: [{ label: 'Open your calendar', url }],
      notes: [
        'You get this email because you also work in another center. Centers do not see each other’s calendars.',
      ],
    };
  },

  async calendar_clash({ centerId }, { app }) {
    const { name, url } = await calendarOf(app, centerId);
    return {
      subject: 'Two of your bookings overlap',
      lead: `A new booking in “${name}” overlaps one in another center. Cancel one of the two.`,
      facts: [['Center', name]],
      actions: [{ label: 'Open your calendar', url }],
      notes: ['Only you get this email: centers do not see each other’s calendars.'],
    };
  },

  async password_reset(_, { app, to, now }) {
    const db = app.db.acrossTenants;
    const accounts = await db.actor.findMany({
      where: { email: to },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
      take: MOST_ACCOUNTS,
    });
    if (accounts.length === 0) return null;
    const actions: MailContent['actions'] = [];
    for (const { id, name } of accounts) {
      const link = { purpose: 'PASSWORD', actorId: id } as const;
      const url = linkTo(app.config.publicUrl, link, await makeLinkToken(db, link, now));
      actions.push({
        label: accounts.length === 1 ? 'Set a new password' : `Set a new password for ${safeText(name)}`,
        url,
      });
    }
    return {
      subject: 'Set a new password',
      lead: 'Someone requested a new password for the account with this address.',
      facts: [
        ['Account', to],
        ['Service', new URL(app.config.publicUrl).host],
      ],
      actions,
      notes: [
        `The link works once and for ${PASSWORD_LINK_HOURS === 1 ? 'an hour' : `${PASSWORD_LINK_HOURS} hours`}. A new password ends all sessions.`,
        'If it was not you, ignore this email: your password does not change.',
      ],
    };
  },

  async password_changed({ removedPasskeys }, occasion) {
    const subject = 'Your password was changed';
    const removed = removedPasskeys.map((name): Fact => ['Removed passkey', safeText(name)]);
    return accountNotice(occasion, subject, 'The password of your account was changed.', removed);
  },

  async passkey_registered(passkey, occasion) {
    const lead = 'You can now sign in and sign approvals with this passkey.';
    return accountNotice(occasion, 'A passkey was added to your account', lead, factsOf(passkey));
  },

  async passkey_removed(passkey, occasion) {
    const lead = 'You can no longer sign in with this passkey. Existing signatures stay valid.';
    return accountNotice(occasion, 'A passkey was removed from your account', lead, factsOf(passkey));
  },
};

/**
 * What a mail with a link about a membership shows; null if the link is no longer wanted. Whatever answers, withdraws or
 * replaces the link takes the same lock, so that none is created in the meantime.
 */
async function membershipLink(
  { app, mailId, now }: MailContext,
  purpose: 'INVITATION' | 'ROLE',
  { membershipId, byActorId }: MailFacts<'role_change'>,
  isOpen: Prisma.MembershipWhereInput,
) {
  const db = app.db.acrossTenants;
  const link = { purpose, membershipId };
  const token = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM membership WHERE id = ${membershipId} FOR UPDATE`;
    const { status } = await tx.mail.findUniqueOrThrow({ where: { id: mailId } });
    const open = await tx.membership.count({ where: { id: membershipId, ...isOpen } });
    return status === 'WAITING' && open > 0 ? makeLinkToken(tx, link, now) : null;
  });
  if (token === null) return null;
  const where = { id: membershipId };
  const membership = await db.membership.findUniqueOrThrow({ where, include: { center: true } });
  const asker = byActorId === null ? null : await db.actor.findUnique({ where: { id: byActorId } });
  const url = linkTo(app.config.publicUrl, link, token);
  return { membership, center: safeText(membership.center.name), url, asker };
}

async function calendarOf(app: Infrastructure, centerId: number): Promise<{ name: string; url: string }> {
  const center = await app.db.acrossTenants.center.findUniqueOrThrow({ where: { id: centerId } });
  return { name: safeText(center.name), url: `${app.config.publicUrl}/c/${center.centerDomain}/calendar` };
}

const approverLabel = ({ kind, name }: NonNullable<MailFacts<'invitation'>['approver']>) =>
  ({
    CENTER: `an administrator of ${safeText(name)}`,
    PARTNER: safeText(name),
    PLATFORM: `the operator of ${name}`,
  })[kind];

const NOT_YOU =
  'If it was not you: set a new password now (“Forgot the password” on the sign-in page), check your sessions and passkeys, and tell your center.';

export type Fact = MailContent['facts'][number];

const factsOf = ({ name, fingerprint }: MailFacts<'passkey_registered'>): Fact[] => [
  ['Passkey', safeText(name)],
  ['Fingerprint', fingerprint],
];

/** Tells the owner of an account about a change of it. */
export const accountNotice = (
  { to, now }: MailContext,
  subject: string,
  lead: string,
  facts: Fact[],
): MailContent => ({
  subject,
  lead,
  facts: [['Account', to], ...facts, ['When', moment(now)]],
  actions: [],
  notes: [NOT_YOU],
});
