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
};

const [one, two] = [center('one'), center('two')];
const firm = center('firm', 'other.test', 'firm.test');

const table: [string, Partial<LandingFacts>, Landing['kind'], string | null, string | null][] = [
  // case, facts, landing, its tenant, the center of the tokens
  ['no membership', {}, 'ONBOARDING', null, null],
  ['only one that waits', { waiting: true }, 'WAITING', null, null],
  ['one open', { open: [one] }, 'TENANT', 'one', 'one'],
  ['one open, another waits', { open: [one], waiting: true }, 'TENANT', 'one', 'one'],
  ['two open', { open: [one, two] }, 'TENANT_PICKER', null, 'one'],
  ['two open, one visited', { open: [one, two], lastVisited: 'two' }, 'TENANT', 'two', 'two'],
  [
    'visited one is not open any more',
    { open: [one, two], lastVisited: 'gone' },
    'TENANT_PICKER',
    null,
    'one',
  ],
  ['visited one, but none is open', { lastVisited: 'gone' }, 'ONBOARDING', null, null],
  ['address of a firm', { open: [one, two, firm] }, 'TENANT', 'firm', 'firm'],
  [
    'address of a firm, another visited',
    { open: [one, two, firm], lastVisited: 'two' },
    'TENANT',
    'two',
    'two',
  ],
  ['no address', { open: [one, firm], email: null }, 'TENANT_PICKER', null, 'one'],
  ['address ends alike only', { open: [one, firm], email: 'x@myfirm.test' }, 'TENANT_PICKER', null, 'one'],
  ['tenant named', { open: [one, two], requested: 'two', lastVisited: 'one' }, 'TENANT', 'two', 'two'],
  ['platform admin', { platformAdmin: true }, 'ADMIN_DASHBOARD', null, null],
  [
    'platform admin with centers',
    { platformAdmin: true, open: [one, two], lastVisited: 'two' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  [
    'platform admin names a tenant',
    { platformAdmin: true, open: [one, two], requested: 'two' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  ['ADMIN of one center', { open: [administered('mine')] }, 'ADMIN_DASHBOARD', 'mine', 'mine'],
  ['ADMIN of one of two', { open: [one, administered('mine')] }, 'ADMIN_DASHBOARD', 'one', 'one'],
  [
    'ADMIN of two, the younger one visited',
    { open: [administered('mine'), administered('ours')], lastVisited: 'ours' },
    'ADMIN_DASHBOARD',
    'ours',
    'ours',
  ],
  [
    'ADMIN who names another tenant',
    { open: [administered('mine'), two], requested: 'two', lastVisited: 'mine' },
    'ADMIN_DASHBOARD',
    'two',
    'two',
  ],
  [
    'ADMIN with the address of a firm',
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
  ['partner account that waits', { partnerAccount: true, waiting: true }, 'PARTNER_DASHBOARD', null, null],
  ['partner account with a center', { partnerAccount: true, open: [one] }, 'TENANT', 'one', 'one'],
];

test.each(table)('%s', (_, facts, kind, landingDomain, current) => {
  expect(chooseLanding({ ...nobody, ...facts })).toEqual({
    landing: { kind, centerDomain: landingDomain },
    centerDomain: current,
  });
});
