import type { IncomingMessage } from 'node:http';
import { DomainError, validationError } from '../lib/errors.ts';
import { textFault } from '../lib/json-faults.ts';

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

const JSON_TYPE = /^application\/(json|[\w.-]+\+json) *(;|$)/i;

/** A form of another site can send any body that is not called JSON without asking first. */
export function checkIsJson(body: Buffer, contentType: string | undefined): void {
  if (body.length === 0 || JSON_TYPE.test(contentType ?? '')) return;
  throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The body must be JSON (Content-Type: application/json).');
}

/**
 * The JSON value of a body; nothing at all counts as an empty object. With `exact`, what JSON.parse would drop or
 * change is refused.
 */
export function parseJson(body: Buffer, exact: boolean): unknown {
  if (body.length === 0) return {};
  const { text, value } = decoded(body);
  const fault = textFault(text, value, exact);
  if (fault) throw validationError([fault]);
  return value;
}

function decoded(body: Buffer): { text: string; value: unknown } {
  try {
    const text = utf8.decode(body);
    return { text, value: JSON.parse(text) };
  } catch {
    throw new DomainError('BAD_REQUEST', 'The body is not valid JSON.');
  }
}
