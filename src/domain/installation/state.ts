import type { Config } from '../../config.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { type RowOf, sql } from '../../db/sql.ts';
import type { Infrastructure } from '../context.ts';
import type { LedgerContext } from '../ledger/ledger-app.ts';
import { signingRefusal } from '../ledger/signing/state.ts';
import { witnessReports } from '../ledger/witnesses/submit.ts';
import { countPartners } from '../partners/list.ts';

export interface Check {
  name: 'MIGRATIONS' | 'NOTIFICATIONS' | 'JOBS' | 'SIGNING' | 'WITNESSES';
  ok: boolean;
  /** A description of the fault. */
  problem: string | null;
}

/** Whether the login that serves requests could assume the rights of the tables' owner. */
type Wall = 'one login' | 'two logins';

export const loginSeparation = ({ oneLogin }: Pick<Config, 'oneLogin'>): Wall =>
  oneLogin ? 'one login' : 'two logins';

/** The state of the whole installation, for the operator. */
export interface Installation {
  service: string;
  checks: Check[];
  queue: Queue;
  partners: number;
  people: number;
  centers: { active: number; suspended: number; inactive: number };
  databaseBytes: number;
  wall: Wall;
}

/** If due jobs are not claimed for this long, no worker is running. */
const PATIENCE_MS = 60_000;

export async function readInstallation(ctx: LedgerContext): Promise<Installation> {
  const { app } = ctx;
  const [pending, refused, witnesses, queue, partners, sizes] = await Promise.all([
    pendingMigrations(app.db.pool),
    signingRefusal(app),
    witnessReports(app),
    readQueue(app),
    countPartners(ctx, null),
    readSizes(app),
  ]);
  const behind = witnesses.filter(({ current }) => !current);
  const late = queue.oldestDueSince && ctx.now.getTime() - queue.oldestDueSince.getTime() > PATIENCE_MS;
  const check = (name: Check['name'], problem: string | null): Check => ({
    name,
    ok: problem === null,
    problem,
  });
  return {
    service: new URL(app.config.publicUrl).host,
    checks: [
      check('MIGRATIONS', pending.length === 0 ? null : `${pending.length} migrations are missing.`),
      check('NOTIFICATIONS', app.bus.connected() ? null : 'This process has lost its line to the database.'),
      check(
        'JOBS',
        late ? 'Due jobs do not start: no worker is running, or the workers are overloaded.' : null,
      ),
      check('SIGNING', refused),
      ...(witnesses.length === 0
        ? []
        : [
            check(
              'WITNESSES',
              behind.length === 0 ? null : `${behind.length} of ${witnesses.length} do not cosign.`,
            ),
          ]),
    ],
    queue,
    partners,
    wall: loginSeparation(app.config),
    ...sizes,
  };
}

const QUEUE = sql('queue_state', {
  ready: 'int',
  waiting: 'int',
  failed: 'int',
  /** Since when the oldest due job has been due. */
  oldestDueSince: 'timestamptz?',
})`
  SELECT count(*) FILTER (WHERE attempts < max_attempts AND run_at <= now())::int AS ready,
         count(*) FILTER (WHERE attempts < max_attempts AND run_at > now())::int AS waiting,
         count(*) FILTER (WHERE attempts >= max_attempts)::int AS failed,
         min(run_at) FILTER (WHERE attempts < max_attempts AND run_at <= now() AND locked_at IS NULL) AS "oldestDueSince"
  FROM graphile_worker.jobs`;
export type Queue = RowOf<typeof QUEUE>;

async function readQueue({ db }: Pick<Infrastructure, 'db'>): Promise<Queue> {
  const [queue] = await QUEUE.rows(db.pool, {});
  return queue!;
}

const SIZES = sql('installation_sizes', {
  active: 'int',
  suspended: 'int',
  inactive: 'int',
  people: 'int',
  databaseBytes: 'float8',
})`
  SELECT count(*) FILTER (WHERE status = 'ACTIVE')::int AS active,
         count(*) FILTER (WHERE status = 'SUSPENDED')::int AS suspended,
         count(*) FILTER (WHERE status = 'INACTIVE')::int AS inactive,
         (SELECT count(*)::int FROM actor) AS people, pg_database_size(current_database())::float8 AS "databaseBytes"
  FROM center`;

async function readSizes({ db }: Pick<Infrastructure, 'db'>) {
  const [sizes] = await SIZES.rows(db.declared('acrossTenants'), {});
  const { people, databaseBytes, ...centers } = sizes!;
  return { centers, people, databaseBytes };
}
