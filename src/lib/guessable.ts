import { deflateRawSync } from 'node:zlib';
import { publishedSecrets } from './published-secrets.ts';

/** 32 random hexadecimal digits never compress below this. */
const LEAST_BYTES = 24;

/** Phrases of placeholders, in small letters without anything between the words. */
const PLACEHOLDER = new RegExp(
  [
    '(your|my|a|the|jwt|super|very|top|dev|test|string|shared|session|app|some|any|production|default)secret',
    'secret(key|for|token|here|string|value|phrase|that|jwt|change|replace|please|at|of|with|min|\\d)',
    'change(me|this|it|in|to|before|for|after|please|the)',
    'replace(me|this|it|in|with|before|the)',
    '(atleast|minimum|exactly|mustbe|needsto|tohave)\\d*(bit|byte|char)',
    'bits?secret|example|placeholder|insecure|notsecure|donotuse|tobemodified|keyboardcat|demopassw0rd',
  ].join('|'),
);

const HEX = /^(0x)?([0-9a-f]{2})+$/i;
const BASE64 = /^[\w+/-]+={0,2}$/;

/** A secret as it is written and, if it may be an encoding of another text or of bytes, decoded. */
function formsOf(text: string, depth = 2): Buffer[] {
  const form = Buffer.from(text);
  if (depth === 0) return [form];
  if (HEX.test(text)) return [form, ...decoded(Buffer.from(text.replace(/^0x/i, ''), 'hex'), depth)];
  return BASE64.test(text) ? [form, ...decoded(Buffer.from(text, 'base64'), depth)] : [form];
}

function decoded(bytes: Buffer, depth: number): Buffer[] {
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? formsOf(text, depth - 1) : [bytes];
}

/** A form without what people change in a copy: case, quotes, padding and separators. Bytes are compared as they are. */
function bare(form: Buffer): string {
  const text = form.toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text.toLowerCase().replace(/[^a-z0-9]/g, '') : form.toString('hex');
}

const unquoted = (secret: string) => secret.trim().replace(/^(["'])(.*)\1$/, '$2');

const published = publishedSecrets.flatMap((secret) => formsOf(secret).map(bare));

/** Whether a secret was copied from documentation instead of generated. */
export function isExample(secret: string): boolean {
  if (/^…+$/.test(secret)) return true;
  const forms = formsOf(unquoted(secret)).map(bare);
  return forms.some((form) => PLACEHOLDER.test(form) || published.some((each) => form.includes(each)));
}

/** Whether a secret has very little entropy, such as repetitions and sequences, which compress well. */
export function isGuessable(secret: string): boolean {
  return formsOf(unquoted(secret)).some(isPredictable);
}

function isPredictable(bytes: Buffer): boolean {
  // In the differences between neighbors, a sequence such as 12345 is a repetition.
  const steps = bytes.map((byte, place) => byte - (bytes[place - 1] ?? 0));
  return Math.min(compressed(bytes), compressed(steps)) < Math.min(LEAST_BYTES, bytes.length);
}

function compressed(bytes: Uint8Array): number {
  return deflateRawSync(bytes, { level: 9 }).length;
}
