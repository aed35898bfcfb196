import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Names under which secrets travel; whatever is logged under them is blotted out. */
const SECRET_KEYS = [
  'password',
  'passwordHash',
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'refreshToken',
  'secret',
  'signingSecret',
  'plaintext',
];

export function makeLog(level: string, destination?: { write(line: string): void }): Log {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    destination ?? pino.destination({ sync: false, minLength: 0 }),
  );
}
