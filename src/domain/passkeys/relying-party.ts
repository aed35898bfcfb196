import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { DomainError } from '../../lib/errors.ts';

/** The relying party: this service, under its public name. A passkey works nowhere else. */
interface RelyingParty {
  id: string;
  name: string;
  origin: string;
}

export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) {
    throw new DomainError('SERVICE_UNAVAILABLE', 'Passkeys need a domain name: PUBLIC_URL is an address.');
  }
  return { id: hostname, name: 'Countersign', origin };
}
