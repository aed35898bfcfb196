import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseWitnessKey, witnessKeyId } from '@countersign/proof-kit';
import { z } from 'zod';
import { asApplication } from './db/logins.ts';
import { randomToken } from './lib/crypto.ts';
import { OperatorFault } from './lib/errors.ts';
import { makeFolder } from './lib/folders.ts';
import { isExample, isGuessable } from './lib/guessable.ts';
import { CELL_LETTERS } from './lib/ids.ts';
import type { MailTarget } from './lib/mail/transport.ts';

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
  RATE_INVITATIONS: rate.default(50),
  RATE_MAIL: rate.default(10),
  RATE_AI: rate.default(30),
  STORAGE_QUOTA_MB: whole(0, 1_000_000_000).default(10_240),
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

/** Seconds before each of the seven webhook attempts. */
const RETRY_DELAYS = [0, 30, 120, 600, 3_600, 21_600, 86_400];

/** Seconds before a mail is retried: within a minute, then with growing intervals for a day. */
const MAIL_RETRY_DELAYS = [30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000];

type Environment = z.infer<typeof environment>;

export type Config = ReturnType<typeof loadConfig>;
/** The configuration before missing secrets are generated. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads the environment once. Writes nothing; reports all errors together. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const e = checked(env);
  const production = e.NODE_ENV === 'production';
  const dataDir = resolve(e.DATA_DIR);
  // A login that owns the tables gives up its own privileges while working with them.
  const working = (url: string | undefined) => (url && !e.DATABASE_OWNER_URL ? asApplication(url) : url);
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`;
  return {
    production,
    port: e.PORT,
    /** A second address with only health checks and metrics, for a process without an API. */
    healthPort: e.HEALTH_PORT,
    host: e.HOST,
    publicUrl,
    schemaUrl: e.SCHEMA_URL ?? `${publicUrl}/schemas`,
    databaseUrl: working(e.DATABASE_URL),
    /** Bypasses a transaction pooler, for notifications and the queue. */
    databaseDirectUrl: working(e.DATABASE_DIRECT_URL),
    /** A standby that answers lists, searches, statistics, exports and verifications. */
    databaseReplicaUrl: working(e.DATABASE_REPLICA_URL),
    /** A standby with more lag is not used. */
    replicaMaxLagSeconds: e.REPLICA_MAX_LAG_SECONDS,
    /** For migrations: the login that owns the tables. */
    databaseOwnerUrl: e.DATABASE_OWNER_URL ?? e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
    /** Whether owner and application share one login. */
    oneLogin: e.DATABASE_URL !== undefined && e.DATABASE_OWNER_URL === undefined,
    /** Requirements of the machine. */
    prerequisites: soundPrerequisites(env),
    databasePool: e.DATABASE_POOL,
    dataDir,
    /** The letter of this installation in API keys and ids, if several share one address. */
    cell: e.CELL,
    role: e.ROLE,
    runsApi: e.ROLE !== 'worker',
    runsWorker: e.ROLE !== 'api',
    jwtSecret: e.JWT_SECRET,
    encryptionKey: e.ENCRYPTION_KEY,
    /** Decrypts existing data while the key is being rotated. */
    previousEncryptionKey: e.ENCRYPTION_KEY_PREVIOUS,
    rates: {
      store: e.RATE_STORE ?? (e.ROLE === 'all' ? ('memory' as const) : ('postgres' as const)),
      standard: e.RATE_STANDARD,
      partner: e.RATE_PARTNER,
      public: e.RATE_PUBLIC,
      auth: e.RATE_AUTH,
      proof: e.RATE_PROOF,
      anonymous: e.RATE_ANONYMOUS,
      /** GraphQL requests per person and minute; a console page sends several at a time. */
      graphql: e.RATE_GRAPHQL,
      /** All keys and people of one center together, per minute. */
      center: e.RATE_CENTER,
      /** Per hour and center. */
      invitations: e.RATE_INVITATIONS,
      /** Mails per hour to one address. */
      mail: e.RATE_MAIL,
      /** Calls of `ai` steps per minute and center. */
      ai: e.RATE_AI,
    },
    /** Per center; 0 means unlimited. */
    storageQuotaMb: e.STORAGE_QUOTA_MB,
    trustedProxies: e.TRUST_PROXY,
    /** Additional host names under which the service answers. */
    allowedHosts: e.ALLOWED_HOSTS?.split(',').map((name) => name.trim()) ?? [],
    corsOrigins: e.CORS_ORIGINS.split(',')
      .map((origin) => origin.trim())
      .filter(Boolean),
    seedDemo: e.SEED_DEMO ?? (!e.DATABASE_URL && !production),
    logLevel: e.LOG_LEVEL,
    metricsToken: e.METRICS_TOKEN,
    /** The rules for URLs supplied by tenants: webhook targets and the http steps of workflows. */
    outbound: {
      allowHttp: !production,
      allowPrivate: e.WEBHOOK_ALLOW_PRIVATE ?? !production,
      nameServers: e.OUTBOUND_NAME_SERVERS?.split(','),
    },
    webhooks: { retryDelays: e.WEBHOOK_RETRY_DELAYS ?? RETRY_DELAYS },
    worker: {
      concurrency: e.WORKER_CONCURRENCY,
      /** Concurrent webhook deliveries. */
      deliveries: e.DELIVERY_CONCURRENCY,
      /** Concurrent calls of workflows to tenants' servers. */
      outsideCalls: e.CALL_CONCURRENCY,
      takeoverSeconds: e.WORKER_TAKEOVER_SECONDS,
    },
    /** How long webhook events and finished deliveries are kept; 0 means forever. */
    retentionDays: e.RETENTION_DAYS,
    checkpoints: {
      everySeconds: e.CHECKPOINT_SECONDS,
      file: e.CHECKPOINT_FILE ?? join(dataDir, 'checkpoints.log'),
    },
    /** Witnesses that cosign the heads of the log. */
    witnesses: e.WITNESSES ?? [],
    mail: {
      /** Null if no mail transport is configured. */
      target: mailTarget(e.MAIL_URL ?? (production ? undefined : 'file:'), dataDir),
      from: e.MAIL_FROM ?? `Countersign <no-reply@${new URL(publicUrl).hostname}>`,
      retryDelays: e.MAIL_RETRY_DELAYS ?? MAIL_RETRY_DELAYS,
      timeoutSeconds: e.MAIL_TIMEOUT_SECONDS,
    },
    ai: e.AI_BASE_URL ? { baseUrl: e.AI_BASE_URL, apiKey: e.AI_API_KEY, model: e.AI_MODEL } : undefined,
    shutdownSeconds: e.SHUTDOWN_SECONDS,
    /** Reject what a center's plan does not include. */
    enforcePlanFeatures: e.ENFORCE_PLAN_FEATURES ?? false,
    /** Serve the console from its sources with hot reloading instead of the built files. */
    consoleDevelopment: e.CONSOLE_DEVELOPMENT ?? false,
  };
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

function mailTarget(url: string | undefined, dataDir: string): MailTarget | null {
  if (url === undefined) return null;
  if (!url.startsWith('file:')) return { kind: 'smtp', url };
  const path = url.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return {
    kind: 'files',
    directory: path === '' ? join(dataDir, 'mail') : resolve(decodeURIComponent(path)),
  };
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
export function soundPrerequisites(env: NodeJS.ProcessEnv): Partial<Prerequisites> {
  const sound = <Name extends keyof Environment>(name: Name) =>
    environment.shape[name].safeParse(env[name] || undefined).data as Environment[Name] | undefined;
  const [host, port, role, dataDir] = [sound('HOST'), sound('PORT'), sound('ROLE'), sound('DATA_DIR')];
  return {
    ...(host && port !== undefined && role && { host, port, runsApi: role !== 'worker' }),
    ...(dataDir && { dataDir: resolve(dataDir) }),
    DATABASE_URL: sound('DATABASE_URL'),
    DATABASE_DIRECT_URL: sound('DATABASE_DIRECT_URL'),
    DATABASE_OWNER_URL: sound('DATABASE_OWNER_URL'),
    databaseWaitSeconds: sound('DATABASE_WAIT_SECONDS') ?? 0,
  };
}

/** Outside production, missing secrets are generated once and stored in DATA_DIR. */
export function withSecrets(settings: Settings) {
  const jwtSecret = settings.jwtSecret ?? keptSecret(settings.dataDir, 'jwt-secret');
  return { ...settings, jwtSecret, encryptionKey: settings.encryptionKey ?? jwtSecret };
}

export function loadConfig(env: NodeJS.ProcessEnv) {
  return withSecrets(readSettings(env));
}

function checked(env: NodeJS.ProcessEnv): Environment {
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

function keptSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    makeFolder(dataDir);
    try {
      writeFileSync(file, randomToken(48), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process of this checkout wrote it in the meantime: use that one.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
