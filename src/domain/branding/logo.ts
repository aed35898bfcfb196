/** Uploaded logos are stored in the settings, as data URLs of at most this many bytes. */
export const LARGEST_LOGO = 24_576;

export interface Logo {
  type: string;
  bytes: Buffer;
}

const DATA_URL = /^data:(image\/(?:png|jpeg|webp|svg\+xml));base64,([A-Za-z0-9+/]+={0,2})$/;

const begins: Record<string, (bytes: Buffer) => boolean> = {
  'image/png': (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/webp': (bytes) =>
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  'image/svg+xml': (bytes) =>
    /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)?<svg[\s>]/.test(bytes.toString('utf8', 0, 2_048)),
};

/** The image in a data URL; null unless its content matches its declared type. */
export function parseLogo(text: unknown): Logo | null {
  const [, type, data] = (typeof text === 'string' && DATA_URL.exec(text)) || [];
  if (!type || !data) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.length <= LARGEST_LOGO && begins[type]!(bytes) ? { type, bytes } : null;
}
