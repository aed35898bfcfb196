import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Pill } from '../../ui/pill.tsx';
import type { Member } from './members.ts';

const ProviderNow = graphql(`query ProviderNow { identityProvider { name issuer } }`);

export interface ProviderName {
  name: string;
  issuer: string;
}

/** The name of the center's identity provider; null without one. */
export const useProviderName = (): ProviderName | null =>
  useRead(ProviderNow, {}).data?.identityProvider ?? null;

type SignsIn = Pick<Member, 'actorId' | 'identity' | 'hasAccount'>;

/** With what a member signs in. An identity of a removed provider opens nothing. */
export function signInWay({ actorId, identity, hasAccount }: SignsIn, provider: ProviderName | null): string {
  if (actorId === null) return '';
  const isCurrent = identity !== null && identity.issuer === provider?.issuer;
  if (isCurrent) return hasAccount ? `Account, ${provider.name}` : provider.name;
  if (hasAccount) return 'Account';
  return provider ? `Not yet through ${provider.name}` : 'No way to sign in';
}

/** Marks an administrator who gets in while the provider is required. */
export const EmergencyPill = () => <Pill tone="info">Emergency access</Pill>;
