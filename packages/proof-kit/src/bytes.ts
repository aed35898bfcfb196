/** Bytes and their text forms, without Buffer: this folder runs in browsers too. */

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const HEX = /^(?:[0-9a-f]{2})*$/;

export function utf8(text: string): Bytes {
  return encoder.encode(text) as Bytes;
}

export function concatBytes(...parts: Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** Lower case only: each value has one text form, so texts can be compared directly. */
export function fromHex(text: string): Bytes {
  if (!HEX.test(text)) throw new TypeError('not lower-case hexadecimal');
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Standard alphabet with padding; rejects any text that would not be encoded the same way again. */
export function fromBase64(text: string): Bytes {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new TypeError('not base64');
  }
  if (btoa(binary) !== text) throw new TypeError('not canonical base64');
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** RFC 4648, section 5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Strict like `fromBase64`: no padding, no other alphabet, no unused bits. */
export function fromBase64Url(text: string): Bytes {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new TypeError('not base64url');
  const padding = '='.repeat((4 - (text.length % 4)) % 4);
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding);
}
