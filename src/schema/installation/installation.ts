import { type Installation, readInstallation } from '../../domain/installation/state.ts';
import { watchInstallation } from '../../domain/installation/watch.ts';
import { builder } from '../builder.ts';

const CheckName = builder.enumType('InstallationCheckName', {
  description: 'A part of the installation.',
  values: {
    MIGRATIONS: { description: 'The database has the schema of this version.' },
    NOTIFICATIONS: { description: "Processes receive each other's messages." },
    JOBS: { description: 'Mails, webhooks and workflows are processed in time.' },
    SIGNING: { description: 'Checkpoints are signed.' },
    WITNESSES: { description: 'The configured witnesses cosign the newest head.' },
  } as const,
});

const Check = builder.objectRef<Installation['checks'][number]>('InstallationCheck').implement({
  description: 'The status of a part of the installation.',
  fields: (t) => ({
    name: t.expose('name', { type: CheckName, description: 'The part.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether it is healthy.' }),
    problem: t.exposeString('problem', { nullable: true, description: 'The problem, or null.' }),
  }),
});

const Queue = builder.objectRef<Installation['queue']>('InstallationQueue').implement({
  description: 'The jobs in the queue.',
  fields: (t) => ({
    ready: t.exposeInt('ready', { description: 'The number of runnable jobs.' }),
    waiting: t.exposeInt('waiting', { description: 'The number of scheduled jobs.' }),
    failed: t.exposeInt('failed', { description: 'Permanently failed jobs.' }),
    oldestDueSince: t.expose('oldestDueSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the oldest runnable job is due.',
    }),
  }),
});

const CenterCounts = builder.objectRef<Installation['centers']>('CenterCounts').implement({
  description: 'The number of centers by status.',
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'Active centers.' }),
    suspended: t.exposeInt('suspended', { description: 'Suspended.' }),
    inactive: t.exposeInt('inactive', { description: 'Permanently closed centers.' }),
  }),
});

const InstallationType = builder.objectRef<Installation>('Installation').implement({
  description: 'The state of the installation.',
  fields: (t) => ({
    service: t.exposeString('service', { description: 'The name used in signatures.' }),
    checks: t.field({
      type: [Check],
      description: 'The status of each part.',
      resolve: ({ checks }) => checks,
    }),
    queue: t.field({
      type: Queue,
      description: 'The state of the job queue.',
      resolve: ({ queue }) => queue,
    }),
    partners: t.exposeInt('partners', { description: 'The number of partners.' }),
    people: t.exposeInt('people', { description: 'The number of accounts.' }),
    centers: t.field({
      type: CenterCounts,
      description: 'The number of centers by status.',
      resolve: ({ centers }) => centers,
    }),
    databaseBytes: t.exposeFloat('databaseBytes', { description: 'The size of its database.' }),
    wall: t.exposeString('wall', {
      description:
        '`two logins` when the login that serves requests owns nothing in the database; `one login` when an injected statement could become the owner (docs/operations.md).',
    }),
  }),
});

builder.queryField('installation', (t) =>
  t.field({
    type: InstallationType,
    description: 'The state of the installation. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    complexity: 100,
    resolve: (_, __, ctx) => readInstallation(ctx),
  }),
);

builder.subscriptionField('installation', (t) =>
  t.field({
    type: InstallationType,
    description: 'The state of the installation, now and after changes. Requires a platform admin.',
    authScopes: { access: { platformAdmin: true } },
    subscribe: (_, __, ctx) => watchInstallation(ctx),
    resolve: (state: Installation) => state,
  }),
);
