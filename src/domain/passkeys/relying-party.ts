import { isIP } from 'node:net';
import type { Config } from '../../config.ts';
import { DomainError } from '../../lib/errors.ts';

/** For whom passkeys sign: this service, by the name people know it under. A passkey works nowhere else. */
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
