import { type EmailDomainView, listEmailDomains } from '../../domain/email-domains/rows.ts';
import { verifyEmailDomain, verifyEmailDomainInput } from '../../domain/email-domains/verify.ts';
import { builder } from '../builder.ts';
import { onlyProperties } from '../exposed.ts';
import { inputArg, inputType } from '../input-types.ts';

const EmailDomain = builder.objectRef<EmailDomainView>('EmailDomain').implement({
  description: 'An email domain from `settings.emailDomains` and the DNS record that verifies it.',
  fields: onlyProperties({
    domain: ['String', 'The domain in lower case, such as `example.org`.'],
    txtName: ['String', 'The full name of the TXT record.'],
    txtValue: ['String', 'The value of the TXT record.'],
    verifiedAt: [
      'DateTime?',
      'When the domain was verified; null if it is not. The record is looked up daily; after three misses in a row the domain is no longer verified.',
    ],
  }),
});

builder.queryField('emailDomains', (t) =>
  t.field({
    type: [EmailDomain],
    description: 'The email domains from the settings of the current center.',
    authScopes: { access: { roles: ['ADMIN'] } },
    resolve: (_, __, ctx) => listEmailDomains(ctx),
  }),
);

const VerifyEmailDomainInput = inputType('VerifyEmailDomainInput', verifyEmailDomainInput, {
  description: 'Which domain of the settings to look up.',
});

builder.mutationField('verifyEmailDomain', (t) =>
  t.field({
    type: EmailDomain,
    description:
      'Looks up the DNS record of an email domain. VALIDATION_ERROR if it is missing; CONFLICT if another center has verified the domain.',
    authScopes: { access: { roles: ['ADMIN'] } },
    args: inputArg(VerifyEmailDomainInput, 'The domain, one of `settings.emailDomains`.'),
    resolve: (_, { input }, ctx) => verifyEmailDomain(ctx, input),
  }),
);
