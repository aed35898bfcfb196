import { randomBytes } from 'node:crypto';
import type { Vault } from '../../lib/crypto.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A fresh signing secret, in the form that users see and that the Standard Webhooks libraries take. */
export const newSecret = () => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The bytes behind a secret: what the Standard Webhooks signature is keyed with. */
export const secretBytes = (secret: string) => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** Bound to its webhook, so that a stored secret is of no use in another row. */
const place = (webhookId: string) => `webhook:${webhookId}`;

export const sealSecret = (vault: Vault, secret: string, webhookId: string) =>
  vault.seal(secret, place(webhookId));

export const openSecret = (vault: Vault, sealed: string, webhookId: string) =>
  vault.open(sealed, place(webhookId));
