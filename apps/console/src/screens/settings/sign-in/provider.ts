import type { Failure } from '../../../graphql/failure.ts';
import { graphql, type ResultOf, type VariablesOf } from '../../../graphql/graphql.ts';
import { faultMessage } from '../../../text/faults.ts';
import { type PresetName, presetOf, presetOfIssuer } from './presets.ts';

export const ProviderFields = graphql(`
  fragment ProviderFields on IdentityProvider {
    name issuer clientId scopes groupsClaim defaultRole externalIdClaim createOnSignIn sessionHours required testedAt
    roleByGroup { group role }
    requiredClaims { claim value }
    failures { at code reason requestId }
  }
`);
export const CurrentProvider = graphql(
  `query CurrentProvider {
    providerAddresses { redirectUri backchannelLogoutUri scimUrl }
    identityProvider { ...ProviderFields }
  }`,
  [ProviderFields],
);
export const SaveProvider = graphql(`
  mutation SaveProvider($input: IdentityProviderInput!) { saveIdentityProvider(input: $input) { name } }
`);
export const RemoveProvider = graphql(`mutation RemoveProvider { removeIdentityProvider }`);

export type Provider = NonNullable<ResultOf<typeof CurrentProvider>['identityProvider']>;
export type ProviderInput = VariablesOf<typeof SaveProvider>['input'];
type Role = Provider['roleByGroup'][number]['role'];

/** The form. Its members have the names of the input, so that a fault of the service finds its field. */
export interface ProviderValues extends Record<string, unknown> {
  preset: PresetName;
  /** What of the issuer the preset asks for. */
  parts: string[];
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  groupsClaim: string;
  roleByGroup: { group: string; role: Role }[];
  defaultRole: Role | '';
  requiredClaims: { claim: string; value: string }[];
  externalIdClaim: string;
  createOnSignIn: boolean;
  sessionHours: number | '';
}

export const MAX_SESSION_HOURS = 720;

/** The saved settings, or those of a preset. */
export function valuesOf(provider: Provider | null): ProviderValues {
  if (!provider) return { ...EMPTY, ...valuesOfPreset('entra') };
  const { name, issuer, clientId, scopes, roleByGroup, requiredClaims } = provider;
  const { externalIdClaim, createOnSignIn, sessionHours } = provider;
  const preset = presetOfIssuer(issuer);
  return {
    preset,
    parts: presetOf(preset)?.read(issuer) ?? [],
    name,
    issuer,
    clientId,
    clientSecret: '',
    scopes,
    groupsClaim: provider.groupsClaim ?? '',
    roleByGroup: roleByGroup.map(({ group, role }) => ({ group, role })),
    defaultRole: provider.defaultRole ?? '',
    requiredClaims: requiredClaims.map(({ claim, value }) => ({ claim, value })),
    externalIdClaim,
    createOnSignIn,
    sessionHours,
  };
}

const EMPTY = {
  name: 'Company Login',
  clientId: '',
  clientSecret: '',
  roleByGroup: [],
  defaultRole: '' as const,
  createOnSignIn: true,
  sessionHours: 12,
};

/** What choosing a preset fills in. */
export function valuesOfPreset(name: PresetName) {
  const preset = presetOf(name);
  return {
    preset: name,
    parts: preset?.parts.map(() => '') ?? [],
    issuer: preset && preset.parts.length === 0 ? preset.issuer([]) : '',
    scopes: preset?.scopes ?? ['openid', 'email', 'profile'],
    groupsClaim: preset?.groupsClaim ?? '',
    externalIdClaim: preset?.externalIdClaim ?? 'sub',
    requiredClaims: preset?.claims.map(({ claim }) => ({ claim, value: '' })) ?? [],
  };
}

/** The input of saving and of testing. An empty secret keeps the stored one. */
export const inputOf = (values: ProviderValues, required: boolean): ProviderInput => ({
  name: values.name.trim(),
  issuer: values.issuer.trim(),
  clientId: values.clientId.trim(),
  ...(values.clientSecret && { clientSecret: values.clientSecret }),
  scopes: values.scopes,
  groupsClaim: values.groupsClaim.trim() || null,
  roleByGroup: values.roleByGroup.map(({ group, role }) => ({ group: group.trim(), role })),
  defaultRole: values.defaultRole || null,
  requiredClaims: values.requiredClaims.map(({ claim, value }) => ({
    claim: claim.trim(),
    value: value.trim(),
  })),
  externalIdClaim: values.externalIdClaim.trim(),
  createOnSignIn: values.createOnSignIn,
  sessionHours: Number(values.sessionHours),
  required,
});

/** Another issuer or client: its sessions end, and its secret is a new one. */
export const isOtherClient = (values: ProviderValues, provider: Provider) =>
  values.issuer.trim() !== provider.issuer || values.clientId.trim() !== provider.clientId;

const filled = (message: string) => (value: string) => (value.trim() ? null : message);

/** The rules of the service, so that most faults show before anything is sent. */
export const rulesOf = (provider: Provider | null) => ({
  name: filled('Enter the name that people see on the button.'),
  issuer: (value: string) =>
    URL.canParse(value.trim()) ? null : 'Enter the whole address, such as https://login.example.com.',
  clientId: filled('Enter the client ID that the provider shows.'),
  clientSecret: (value: string, values: ProviderValues) =>
    value || (provider && !isOtherClient(values, provider))
      ? null
      : provider
        ? 'Another issuer or client needs its secret.'
        : 'Enter the client secret.',
  groupsClaim: (value: string, { roleByGroup }: ProviderValues) =>
    roleByGroup.length > 0 && !value.trim() ? 'Enter the claim that holds the groups.' : null,
  defaultRole: (value: string, { roleByGroup, createOnSignIn }: ProviderValues) =>
    !value && roleByGroup.length === 0 && createOnSignIn
      ? 'Choose the role of the people who are created when they first sign in.'
      : null,
  externalIdClaim: filled('Enter a claim, such as sub.'),
  sessionHours: (value: number | '') =>
    Number(value) >= 1 && Number(value) <= MAX_SESSION_HOURS
      ? null
      : `Enter 1 to ${MAX_SESSION_HOURS} hours.`,
  roleByGroup: { group: filled('Enter a group.') },
  requiredClaims: { claim: filled('Enter a claim.'), value: filled('Enter the value it must have.') },
});

/** Faults that only the service found, by the path of the field. */
export function fieldFaults(failure: Failure | undefined): Record<string, string> {
  const fields = failure?.details?.['fields'];
  if (failure?.code !== 'VALIDATION_ERROR' || !Array.isArray(fields)) return {};
  return Object.fromEntries(
    (fields as { path?: string; message?: string }[]).map(({ path = '', message = '' }) => [
      path.replace(/^input\./, ''),
      faultMessage(message),
    ]),
  );
}
