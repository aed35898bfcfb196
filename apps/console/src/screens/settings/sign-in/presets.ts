// What the four common providers need, from their public documentation. The guide has the steps at the provider:
// docs/single-sign-on.md.

export interface Preset {
  label: string;
  /** What of the issuer differs between customers; without it, the issuer is the same for all. */
  parts: { label: string; placeholder: string }[];
  issuer: (parts: string[]) => string;
  /** The parts in the issuer of saved settings; null if the issuer belongs to another provider. */
  read: (issuer: string) => string[] | null;
  scopes: string[];
  groupsClaim: string;
  /** The claim that the provider also sends as `externalId` over SCIM. */
  externalIdClaim: string;
  /** Claims that a sign-in must have, whose values the administrator enters. */
  claims: { claim: string; placeholder: string }[];
  hint: string;
}

const STANDARD_SCOPES = ['openid', 'email', 'profile'];

/** Accepts an address where a host is asked for. */
const host = (text: string) =>
  text
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '');

const partsIn = (pattern: RegExp) => (issuer: string) => pattern.exec(issuer)?.slice(1) ?? null;

export const presets = {
  entra: {
    label: 'Microsoft Entra ID',
    parts: [{ label: 'Directory (tenant) ID', placeholder: '8f2c6a1e-0d4b-4c57-9b1f-3e7a5d90c2b4' }],
    issuer: ([tenant = '']) => `https://login.microsoftonline.com/${tenant.trim()}/v2.0`,
    read: partsIn(/^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/),
    scopes: STANDARD_SCOPES,
    groupsClaim: 'groups',
    externalIdClaim: 'oid',
    claims: [],
    hint: 'Register a single-tenant application. Groups are sent as object IDs: assign them to the application, and map them by that ID.',
  },
  google: {
    label: 'Google Workspace',
    parts: [],
    issuer: () => 'https://accounts.google.com',
    read: partsIn(/^https:\/\/accounts\.google\.com$/),
    scopes: STANDARD_SCOPES,
    groupsClaim: '',
    externalIdClaim: 'sub',
    claims: [{ claim: 'hd', placeholder: 'example.com' }],
    hint: 'Anyone with a Google account can sign in at Google: the claim “hd” limits access to your Workspace domain. Google sends no groups.',
  },
  okta: {
    label: 'Okta',
    parts: [{ label: 'Okta domain', placeholder: 'example.okta.com' }],
    issuer: ([domain = '']) => `https://${host(domain)}`,
    read: partsIn(/^https:\/\/([^/]+\.(?:okta|oktapreview|okta-emea)\.com)$/),
    scopes: [...STANDARD_SCOPES, 'groups'],
    groupsClaim: 'groups',
    externalIdClaim: 'sub',
    claims: [],
    hint: 'Create a web application for OpenID Connect, and add a groups claim filter to it.',
  },
  keycloak: {
    label: 'Keycloak',
    parts: [
      { label: 'Server', placeholder: 'login.example.com' },
      { label: 'Realm', placeholder: 'staff' },
    ],
    issuer: ([server = '', realm = '']) => `https://${host(server)}/realms/${realm.trim()}`,
    read: partsIn(/^https?:\/\/(.+)\/realms\/([^/]+)$/),
    scopes: STANDARD_SCOPES,
    groupsClaim: 'groups',
    externalIdClaim: 'sub',
    claims: [],
    hint: 'Create a confidential client with the standard flow, and add a Group Membership mapper with the token claim name “groups”.',
  },
} satisfies Record<string, Preset>;

export type PresetName = keyof typeof presets | 'other';

export const presetNames: Record<PresetName, string> = {
  entra: presets.entra.label,
  google: presets.google.label,
  okta: presets.okta.label,
  keycloak: presets.keycloak.label,
  other: 'Another provider',
};

export const presetOf = (name: PresetName): Preset | null => (name === 'other' ? null : presets[name]);

/** The preset whose form the issuer has. */
export const presetOfIssuer = (issuer: string): PresetName =>
  (Object.keys(presets) as (keyof typeof presets)[]).find((name) => presets[name].read(issuer) !== null) ??
  'other';
