import { expect, test } from 'vitest';
import { chooseLanding, type Landing, type LandingFacts } from '../../src/domain/identity/landing.ts';

const center = (centerDomain: string, ...emailDomains: string[]) => ({
  centerDomain,
  role: 'INSTRUCTOR' as const,
  emailDomains,
});
const administered = (centerDomain: string) => ({ ...center(centerDomain), role: 'ADMIN' as const });

const nobody: LandingFacts = {
  platformAdmin: false,
  partnerAccount: false,
  email: 'ann@firm.test',
  requested: null,
  lastVisited: null,
  open: [],
  waiting: false,
  providerRequired: false,
};

const [one, two] = [center('one'), center('two')];
const firm = center('firm', 'other.test', 'firm.test');

const table: [string, Partial<LandingFacts>, Landing['kind'], string | null, string | null][] = [
  // case, facts, landing, its tenant, the center of the tokens
  ['no membership', {}, 'ONBOARDING', null, null],
  ['only a pending membership', { waiting: true }, 'WAITING', null, null],
  ['one active', { open: [one] }, 'TENANT', 'one', 'one'],
  ['one active, another pending', { open: [one], waiting: true }, 'TENANT', 'one', 'one'],
  ['two active', { open: [one, two] }, 'TENANT_PICKER', null, 'one'],
  ['two active, one of them last visited', { open: [one, two], lastVisited: 'two' }, 'TENANT', 'two', 'two'],
  [
    'last visited center is no longer active',
    { open: [one, two], lastVisited: 'gone' },
    'TENANT_PICKER',
    null,
    'one',
  ],
  ['last visited center, but none is active', { lastVisited: 'gone' }, 'ONBOARDING', null, null],
  ['email domain of a center', { open: [one, two, firm] }, 'TENANT', 'firm', 'firm'],
  [
    'email domain of a center, another last visited',
    { open: [one, two, firm], lastVisited: 'two' },
    'TENANT',
    'two',
    'two',
  ],
  ['no email', { open: [one, firm], email: null }, 'TENANT_PICKER', null, 'one'],
  [
    'email domain only ends like that of the center',
    { open: [one, firm], email: 'x@myfirm.test' },
    'TENANT_PICKER',
    null,
    'one',
  ],
  ['requested tenant', { open: [one, two], requested: 'two', lastVisited: 'one' }, 'TENANT', 'two', 'two'],
  ['platform admin', { platformAdmin: true }, 'ADMIN_DASHBOARD', null, null],
  [
    'platform admin with centers',
    { platformAdmin: true, open: [one, two], lastVisited: 'two' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  [
    'platform admin requests a tenant',
    { platformAdmin: true, open: [one, two], requested: 'two' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  ['ADMIN of one center', { open: [administered('mine')] }, 'ADMIN_DASHBOARD', 'mine', 'mine'],
  ['ADMIN of one of two', { open: [one, administered('mine')] }, 'ADMIN_DASHBOARD', 'one', 'one'],
  [
    'ADMIN of two, the newer one last visited',
    { open: [administered('mine'), administered('ours')], lastVisited: 'ours' },
    'ADMIN_DASHBOARD',
    'ours',
    'ours',
  ],
  [
    'ADMIN requests another tenant',
    { open: [administered('mine'), two], requested: 'two', lastVisited: 'mine' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  [
    'ADMIN with the email domain of a center',
    { open: [administered('mine'), firm] },
    'ADMIN_DASHBOARD',
    'mine',
    'mine',
  ],
  [
    'ADMIN with a partner account',
    { partnerAccount: true, open: [administered('mine')] },
    'ADMIN_DASHBOARD',
    'mine',
    'mine',
  ],
  ['partner account', { partnerAccount: true }, 'PARTNER_DASHBOARD', null, null],
  [
    'partner account with a pending membership',
    { partnerAccount: true, waiting: true },
    'PARTNER_DASHBOARD',
    null,
    null,
  ],
  ['partner account with a center', { partnerAccount: true, open: [one] }, 'TENANT', 'one', 'one'],
];

test.each(table)('%s', (_, facts, kind, landingDomain, current) => {
  expect(chooseLanding({ ...nobody, ...facts })).toEqual({
    landing: { kind, centerDomain: landingDomain },
    centerDomain: current,
  });
});
