import { createRequire } from 'node:module';
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Fields that hold secrets; their values are redacted. */
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

/** Where lines go; a terminal is detected automatically. */
interface LogDestination {
  write(line: string): unknown;
  isTTY?: boolean;
}

/** JSON lines for programs; readable lines on a terminal. */
export function makeLog(level: string, destination: LogDestination = process.stdout): Log {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths, censor: '[redacted]' },
    },
    streamTo(destination),
  );
}

function streamTo(destination: LogDestination) {
  if (destination.isTTY) {
    // Loaded only for terminals.
    const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
    return pretty({ destination: asWritable(destination), colorize: true, translateTime: 'SYS:HH:MM:ss' });
  }
  return destination === process.stdout ? pino.destination({ sync: false, minLength: 0 }) : destination;
}

function asWritable(destination: LogDestination): Writable {
  return new Writable({
    write(line, _encoding, done) {
      destination.write(String(line));
      done();
    },
  });
}
