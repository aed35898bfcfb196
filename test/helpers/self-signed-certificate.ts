/** A new key and self-signed X.509 certificate for one host name, so no key is stored in the repository. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;
const explicit = (tag: number) => 0xa0 + tag;

const ED25519 = Buffer.from([0x2b, 0x65, 0x70]);
const COMMON_NAME = Buffer.from([0x55, 0x04, 0x03]);
const SUBJECT_ALT_NAME = Buffer.from([0x55, 0x1d, 0x11]);

const DAY_MS = 86_400_000;

export function selfSignedCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const algorithm = der(SEQUENCE, der(OBJECT_ID, ED25519));
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(host)))),
  );
  const altName = der(
    SEQUENCE,
    der(OBJECT_ID, SUBJECT_ALT_NAME),
    der(OCTET_STRING, der(SEQUENCE, der(DNS_NAME, Buffer.from(host)))),
  );
  const body = der(
    SEQUENCE,
    der(explicit(0), der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(explicit(3), der(SEQUENCE, altName)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]);
  const certificate = der(SEQUENCE, body, algorithm, der(BIT_STRING, signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const header = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

function utcTime(at: number): Buffer {
  const digits = new Date(at).toISOString().replace(/\D/g, '');
  return der(UTC_TIME, Buffer.from(`${digits.slice(2, 14)}Z`));
}
