import type { IncomingMessage } from 'node:http';
import { DomainError } from '../lib/errors.ts';

const MAX_BODY_BYTES = 1_048_576;

const tooLarge = () => new DomainError('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.');

/** Reads a body up to the limit. What goes over it is not read: the connection is closed with the answer. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > MAX_BODY_BYTES) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        request.pause();
        reject(tooLarge());
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON value of a body; nothing at all counts as an empty object. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw new DomainError('BAD_REQUEST', 'The body is not valid JSON.');
  }
}
