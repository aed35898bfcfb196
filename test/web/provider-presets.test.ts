import { describe, expect, test } from 'vitest';
import {
  presetOf,
  presetOfIssuer,
  presets,
} from '../../apps/console/src/screens/settings/sign-in/presets.ts';
import {
  inputOf,
  isOtherClient,
  type Provider,
  rulesOf,
  valuesOf,
  valuesOfPreset,
} from '../../apps/console/src/screens/settings/sign-in/provider.ts';

const saved: Provider = {
  name: 'Company Login',
  issuer: 'https://login.microsoftonline.com/8f2c/v2.0',
  clientId: 'countersign',
  scopes: ['openid', 'email'],
  groupsClaim: null,
  roleByGroup: [{ group: 'staff', role: 'INSTRUCTOR' }],
  defaultRole: null,
  requiredClaims: [{ claim: 'tid', value: '8f2c' }],
  externalIdClaim: 'oid',
  createOnSignIn: false,
  sessionHours: 8,
  required: true,
  testedAt: null,
  failures: [],
};

describe('presets of providers', () => {
  test.each([
    ['entra', ['8f2c'], 'https://login.microsoftonline.com/8f2c/v2.0'],
    ['google', [], 'https://accounts.google.com'],
    ['okta', ['https://harbour.okta.com/'], 'https://harbour.okta.com'],
    ['keycloak', ['login.harbour.test/auth', 'staff'], 'https://login.harbour.test/auth/realms/staff'],
  ] as const)('%s makes its issuer, and is recognized by it', (name, parts, issuer) => {
    expect(presets[name].issuer([...parts])).toBe(issuer);
    expect(presetOfIssuer(issuer)).toBe(name);
    const read = presetOf(name)!.read(issuer)!;
    expect(presets[name].issuer(read)).toBe(issuer);
  });

  test('an issuer of no preset belongs to another provider', () => {
    for (const issuer of [
      'https://login.harbour.test',
      'https://okta.com.harbour.test',
      'https://login.microsoftonline.com/8f2c/v2.0/more',
      'https://accounts.google.com.harbour.test',
    ])
      expect([issuer, presetOfIssuer(issuer)]).toEqual([issuer, 'other']);
  });

  test('Google asks for the Workspace domain, because anyone has a Google account', () => {
    expect(valuesOfPreset('google')).toMatchObject({
      issuer: 'https://accounts.google.com',
      groupsClaim: '',
      requiredClaims: [{ claim: 'hd', value: '' }],
    });
  });
});

describe('the form of a provider', () => {
  test('saved settings become the same input again, without a secret', () => {
    const { testedAt: _, failures: __, ...settings } = saved;
    expect(inputOf(valuesOf(saved), true)).toEqual(settings);
  });

  test('an empty secret keeps the stored one only for the same issuer and client', () => {
    const { clientSecret } = rulesOf(saved);
    const same = valuesOf(saved);
    expect(clientSecret('', same)).toBeNull();
    for (const other of [
      { ...same, issuer: 'https://login.harbour.test' },
      { ...same, clientId: 'other' },
    ]) {
      expect(isOtherClient(other, saved)).toBe(true);
      expect(clientSecret('', other)).toBe('Another issuer or client needs its secret.');
      expect(clientSecret('secret', other)).toBeNull();
    }
    expect(rulesOf(null).clientSecret('', valuesOf(null))).toBe('Enter the client secret.');
  });

  test('creating people needs a role for them', () => {
    const { defaultRole } = rulesOf(null);
    const values = valuesOf(null);
    expect(defaultRole('', values)).toMatch(/^Choose the role/);
    expect(defaultRole('PARENT', values)).toBeNull();
    expect(defaultRole('', { ...values, createOnSignIn: false })).toBeNull();
    expect(defaultRole('', { ...values, roleByGroup: [{ group: 'staff', role: 'ADMIN' }] })).toBeNull();
  });
});
