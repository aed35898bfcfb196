import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asApplication } from './db/logins.ts';
import { readEnvironment, validPrerequisites } from './environment.ts';
import { randomToken } from './lib/crypto.ts';
import { makeFolder } from './lib/folders.ts';
import type { MailTarget } from './lib/mail/transport.ts';

/** Seconds before each of the seven webhook attempts. */
const RETRY_DELAYS = [0, 30, 120, 600, 3_600, 21_600, 86_400];

/** Seconds before a mail is retried: within a minute, then with growing intervals for a day. */
const MAIL_RETRY_DELAYS = [30, 120, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 36_000];

export type Config = ReturnType<typeof loadConfig>;
/** The configuration before missing secrets are generated. */
export type Settings = ReturnType<typeof readSettings>;

/** Reads the environment once. Writes nothing; reports all errors together. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const e = readEnvironment(env);
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
    prerequisites: validPrerequisites(env),
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
      /** SCIM requests of a center, per minute. */
      scim: e.RATE_SCIM,
      /** Per hour and center. */
      invitations: e.RATE_INVITATIONS,
      /** Mails per hour to one address. */
      mail: e.RATE_MAIL,
      /** Calls of `ai` steps per minute and center. */
      ai: e.RATE_AI,
    },
    /** Per center; 0 means unlimited. */
    storageQuotaMb: e.STORAGE_QUOTA_MB,
    contentInFlightMb: e.CONTENT_IN_FLIGHT_MB,
    /** Servers that look up the DNS records of email domains; null for those of the system. */
    dnsServers: e.DNS_SERVERS?.split(',').map((address) => address.trim()) ?? null,
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

function mailTarget(url: string | undefined, dataDir: string): MailTarget | null {
  if (url === undefined) return null;
  if (!url.startsWith('file:')) return { kind: 'smtp', url };
  const path = url.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
  return {
    kind: 'files',
    directory: path === '' ? join(dataDir, 'mail') : resolve(decodeURIComponent(path)),
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
