import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseWitnessKey, witnessKeyId } from '@countersign/proof-kit';
import { z } from 'zod';
import { OperatorFault } from './lib/errors.ts';
import { isExample, isGuessable } from './lib/guessable.ts';
import { CELL_LETTERS } from './lib/ids.ts';

/** Errors in the environment, one line each, with the variable and the expected value. */
export class ConfigError extends OperatorFault {
  override name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: string | readonly string[]) {
    const all = [faults].flat();
    super(all.join('\n'));
    this.faults = all;
  }
}

const switchValue = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');
const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((value) => value.replace(/\/+$/, ''));
const rate = whole(0, 10_000_000);
const delays = z
  .string()
  .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/, 'must be seconds separated by commas, such as 0,30,120')
  .transform((value) => value.split(',').map(Number));

const MAIL_URL_FORM = 'must be smtp://user:password@host:port, smtps://… or file: with an optional folder';

const environment = z.object({
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('development'),
  PORT: whole(0, 65_535).default(4000),
  HEALTH_PORT: whole(0, 65_535).optional(),
  HOST: z
    .string()
    .refine(
      (value) => isIP(value) > 0 || value === 'localhost' || value === hostname(),
      'must be an IP address of this machine, its name, or localhost',
    )
    .default('127.0.0.1'),
  PUBLIC_URL: webAddress.optional(),
  ALLOW_HTTP: switchValue.optional(),
  SCHEMA_URL: webAddress.optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
    .optional(),
  DATABASE_DIRECT_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
    .optional(),
  DATABASE_OWNER_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
    .optional(),
  DATABASE_REPLICA_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
    .optional(),
  REPLICA_MAX_LAG_SECONDS: whole(1, 3_600).default(10),
  DATABASE_POOL: whole(5, 500).default(20),
  DATABASE_WAIT_SECONDS: whole(0, 3_600).default(30),
  DATA_DIR: z.string().min(1).default('.data'),
  CELL: z
    .string()
    .regex(new RegExp(`^[${CELL_LETTERS}]$`), 'must be one lower-case letter other than i, l, o and u')
    .default('a'),
  ROLE: z.enum(['all', 'api', 'worker'], 'must be all, api or worker').default('all'),
  JWT_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ENCRYPTION_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  ENCRYPTION_KEY_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  RATE_STORE: z.enum(['memory', 'postgres'], 'must be memory or postgres').optional(),
  RATE_STANDARD: rate.default(100),
  RATE_PARTNER: rate.default(500),
  RATE_PUBLIC: rate.default(30),
  RATE_AUTH: rate.default(5),
  RATE_PROOF: rate.default(600),
  RATE_ANONYMOUS: rate.default(600),
  RATE_GRAPHQL: rate.default(1_000),
  RATE_CENTER: rate.default(6_000),
  RATE_SCIM: rate.default(1_500),
  RATE_INVITATIONS: rate.default(50),
  RATE_MAIL: rate.default(10),
  RATE_AI: rate.default(30),
  STORAGE_QUOTA_MB: whole(0, 1_000_000_000).default(10_240),
  CONTENT_IN_FLIGHT_MB: whole(4, 100_000).default(128),
  DNS_SERVERS: z
    .string()
    .regex(
      /^[0-9A-Fa-f.:[\]]+(\s*,\s*[0-9A-Fa-f.:[\]]+)*$/,
      'must be IP addresses separated by commas, each with an optional port',
    )
    .optional(),
  TRUST_PROXY: whole(0, 16).default(0),
  CORS_ORIGINS: z.string().default(''),
  ALLOWED_HOSTS: z
    .string()
    .regex(
      /^[^\s/@,]+(\s*,\s*[^\s/@,]+)*$/,
      'must be host names separated by commas, such as api.example.org',
    )
    .optional(),
  SEED_DEMO: switchValue.optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'must be a pino log level')
    .default('info'),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  WEBHOOK_ALLOW_PRIVATE: switchValue.optional(),
  WEBHOOK_RETRY_DELAYS: delays.optional(),
  OUTBOUND_NAME_SERVERS: z
    .string()
    .regex(
      /^[0-9a-fA-F.:[\]]+(,[0-9a-fA-F.:[\]]+)*$/,
      'must be addresses of name servers separated by commas',
    )
    .optional(),
  WORKER_CONCURRENCY: whole(1, 200).default(24),
  CHECKPOINT_SECONDS: whole(1, 300).default(60),
  DELIVERY_CONCURRENCY: whole(1, 2_000).default(128),
  CALL_CONCURRENCY: whole(1, 2_000).default(128),
  WORKER_TAKEOVER_SECONDS: whole(1, 60).default(45),
  RETENTION_DAYS: whole(0, 36_500).default(90),
  CHECKPOINT_FILE: z.string().min(1).optional(),
  WITNESSES: z.string().transform(readWitnesses).optional(),
  MAIL_URL: z
    .string()
    .refine((value) => /^file:/.test(value) || isMailServer(value), MAIL_URL_FORM)
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^([^<>\r\n]* <)?[^<>@\s]+@[^<>@\s]+>?$/,
      'must be an address such as Countersign <no-reply@example.org>',
    )
    .optional(),
  MAIL_RETRY_DELAYS: delays.optional(),
  MAIL_TIMEOUT_SECONDS: whole(1, 600).default(20),
  AI_BASE_URL: webAddress.optional(),
  AI_API_KEY: z.string().min(1).optional(),
  AI_MODEL: z.string().min(1).optional(),
  SHUTDOWN_SECONDS: whole(1, 600).default(15),
  CONSOLE_DEVELOPMENT: switchValue.optional(),
  ENFORCE_PLAN_FEATURES: switchValue.optional(),
});

type Environment = z.infer<typeof environment>;

/** The names of all variables, for documents. */
export const variableNames = Object.keys(environment.shape);

/** Parses all variables; reports all errors together. */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  // An empty variable counts as unset, as compose files and shells write it.
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`);
  if (parsed.success) faults.push(...schemaFaults(parsed.data));
  const named = new Set(faults.map((fault) => fault.split(' ')[0]));
  // Additional requirements in production, for variables that are otherwise valid.
  const demands = given['NODE_ENV'] === 'production' ? productionFaults(given) : [];
  faults.push(...demands.filter((fault) => !named.has(fault.split(' ')[0])));
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  return parsed.data;
}

/** Verifiers refute a document whose context is served by another host. */
function schemaFaults({ SCHEMA_URL: schema, PUBLIC_URL, PORT }: Environment): string[] {
  const publicHost = new URL(PUBLIC_URL ?? `http://localhost:${PORT}`).host;
  if (schema === undefined || new URL(schema).host === publicHost) return [];
  return [`SCHEMA_URL must be an address at ${publicHost}, the host of PUBLIC_URL`];
}

function productionFaults(given: NodeJS.ProcessEnv): string[] {
  const faults: string[] = [];
  if (!given['PUBLIC_URL']?.startsWith('https:') && given['ALLOW_HTTP'] !== '1') {
    faults.push('PUBLIC_URL must be an https address when NODE_ENV is production (or set ALLOW_HTTP=1)');
  }
  if (!given['JWT_SECRET']) {
    faults.push('JWT_SECRET must be set (at least 32 characters) when NODE_ENV is production');
  }
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
    if (given[name] && isExample(given[name])) {
      faults.push(
        `${name} must be your own: this one is published as an example (try: openssl rand -base64 48)`,
      );
    } else if (given[name] && isGuessable(given[name])) {
      faults.push(`${name} must be random: this one is easily guessed (try: openssl rand -base64 48)`);
    }
  }
  return faults;
}

/** A witness: its verifier key and the base URL that accepts checkpoints. */
export interface Witness {
  vkey: string;
  name: string;
  keyId: string;
  publicKey: Uint8Array;
  url: string;
}

/** Pairs of verifier key and URL, one per line or separated by commas. */
function readWitnesses(text: string, fault: z.RefinementCtx): Witness[] {
  const witnesses: Witness[] = [];
  for (const pair of text.split(/[\n,]/).map((part) => part.trim())) {
    if (pair === '') continue;
    const [vkey, url, ...more] = pair.split(/\s+/);
    try {
      const key = parseWitnessKey(vkey!);
      if (more.length > 0 || !/^https?:$/.test(URL.parse(url ?? '')?.protocol ?? ''))
        throw new TypeError('an http or https address comes after it');
      if (witnesses.some((other) => other.vkey === vkey)) throw new TypeError('it is named twice');
      witnesses.push({ vkey: vkey!, ...key, keyId: witnessKeyId(key), url: url!.replace(/\/+$/, '') });
    } catch (error) {
      fault.addIssue({
        code: 'custom',
        message: `must hold pairs of a witness's verifier key and its address: ${vkey}: ${(error as Error).message}`,
      });
    }
  }
  return witnesses;
}

function isMailServer(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}

/** The requirements of the machine, as far as they are valid. */
export interface Prerequisites {
  host: string;
  port: number;
  runsApi: boolean;
  dataDir: string;
  DATABASE_URL: string | undefined;
  DATABASE_DIRECT_URL: string | undefined;
  DATABASE_OWNER_URL: string | undefined;
  /** How long a start waits for an unavailable database. */
  databaseWaitSeconds: number;
}

/** Checks that can run although other settings are invalid. */
export function validPrerequisites(env: NodeJS.ProcessEnv): Partial<Prerequisites> {
  const valid = <Name extends keyof Environment>(name: Name) =>
    environment.shape[name].safeParse(env[name] || undefined).data as Environment[Name] | undefined;
  const [host, port, role, dataDir] = [valid('HOST'), valid('PORT'), valid('ROLE'), valid('DATA_DIR')];
  return {
    ...(host && port !== undefined && role && { host, port, runsApi: role !== 'worker' }),
    ...(dataDir && { dataDir: resolve(dataDir) }),
    DATABASE_URL: valid('DATABASE_URL'),
    DATABASE_DIRECT_URL: valid('DATABASE_DIRECT_URL'),
    DATABASE_OWNER_URL: valid('DATABASE_OWNER_URL'),
    databaseWaitSeconds: valid('DATABASE_WAIT_SECONDS') ?? 0,
  };
}
