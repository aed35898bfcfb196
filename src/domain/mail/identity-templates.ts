import { randomToken, sha256Hex } from '../../lib/crypto.ts';
import type { MailFacts } from './draft.ts';
import { moment, safeText } from './layout.ts';
import { accountNotice, type Fact, type MailContext, type MailTemplates } from './templates.ts';

type IdentityMails = Pick<
  MailTemplates,
  'identity_link' | 'identity_linked' | 'identity_unlinked' | 'emergency_entry'
>;

export const identityMails: IdentityMails = {
  async identity_link({ browserHash, centerId, name, provider, issuer }, { app, to, now }) {
    const db = app.db.acrossTenants;
    const token = randomToken();
    const { count } = await db.waitingIdentity.updateMany({
      where: { browserHash, centerId, expiresAt: { gt: now } },
      data: { mailedHash: sha256Hex(token) },
    });
    if (count === 0) return null;
    const center = await centerOf({ app }, centerId);
    return {
      subject: `Connect ${safeText(provider)} to your profile in ${center.name}`,
      lead: `Someone signed in with ${safeText(provider)} and asks to connect that sign-in to your profile in “${center.name}”.`,
      facts: [
        ['Center', center.name],
        ['Your profile', to],
        ['Signed in there as', safeText(name)],
        ['Issuer', safeText(issuer)],
      ],
      actions: [{ label: 'Connect this sign-in', url: `${app.config.publicUrl}/connect#${token}` }],
      notes: [
        'The link works once, within ten minutes of that sign-in, and only in the browser that signed in.',
        'From then on, a sign-in there as this person opens your profile in this center. If it was not you, ignore this email.',
      ],
    };
  },

  async identity_linked(identity, occasion) {
    const lead = `Signing in with ${safeText(identity.provider)} now opens your account in this center.`;
    const facts = await identityFacts(identity, occasion);
    return accountNotice(occasion, 'A sign-in was connected to your account', lead, facts);
  },

  async identity_unlinked(identity, occasion) {
    const lead = `Signing in with ${safeText(identity.provider)} no longer opens your account.`;
    const facts = await identityFacts(identity, occasion);
    return accountNotice(occasion, 'A sign-in was disconnected from your account', lead, facts);
  },

  async emergency_entry({ centerId, name, provider, ip }, occasion) {
    const center = await centerOf(occasion, centerId);
    const person = safeText(name);
    const how = provider === null ? 'a password or a passkey' : safeText(provider);
    return {
      subject: `${person} signed in with emergency access`,
      lead: `${person}, an administrator of “${center.name}” with emergency access, signed in with ${how}.`,
      facts: [
        ['Center', center.name],
        ['Person', person],
        ['When', moment(occasion.now)],
        ...(ip === null ? [] : [['Address', ip] satisfies Fact]),
      ],
      actions: [
        {
          label: 'Open the members',
          url: `${occasion.app.config.publicUrl}/c/${center.centerDomain}/people`,
        },
      ],
      notes: [
        'Emergency access works without the identity provider. If you do not know why it was used, ask this person now, and suspend the membership if it was not them.',
      ],
    };
  },
};

async function centerOf({ app }: Pick<MailContext, 'app'>, id: number) {
  const { name, centerDomain } = await app.db.acrossTenants.center.findUniqueOrThrow({ where: { id } });
  return { name: safeText(name), centerDomain };
}

async function identityFacts(
  { centerId, provider, issuer }: MailFacts<'identity_linked'>,
  occasion: MailContext,
): Promise<Fact[]> {
  const { name } = await centerOf(occasion, centerId);
  return [
    ['Center', name],
    ['Provider', safeText(provider)],
    ['Issuer', safeText(issuer)],
  ];
}
