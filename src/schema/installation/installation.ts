import { type Installation, readInstallation } from '../../domain/installation/state.ts';
import { watchInstallation } from '../../domain/installation/watch.ts';
import { builder } from '../builder.ts';
import { enumType } from '../enum-types.ts';
import { onlyProperties } from '../exposed.ts';

type Check = Installation['checks'][number];

const CheckName = enumType<Check['name']>('InstallationCheckName', 'A part of the installation.', {
  MIGRATIONS: 'The database has the schema of this version.',
  NOTIFICATIONS: "Processes receive each other's messages.",
  JOBS: 'Mails, webhooks and workflows are processed in time.',
  SIGNING: 'Checkpoints are signed.',
  WITNESSES: 'The configured witnesses cosign the newest head.',
});

const InstallationCheck = builder.objectRef<Check>('InstallationCheck').implement({
  description: 'The status of a part of the installation.',
  fields: onlyProperties({
    name: [CheckName, 'The part.'],
    ok: ['Boolean', 'Whether it is healthy.'],
    problem: ['String?', 'The problem, or null.'],
  }),
});

const Queue = builder.objectRef<Installation['queue']>('InstallationQueue').implement({
  description: 'The jobs in the queue.',
  fields: onlyProperties({
    ready: ['Int', 'The number of runnable jobs.'],
    waiting: ['Int', 'The number of scheduled jobs.'],
    failed: ['Int', 'Permanently failed jobs.'],
    oldestDueSince: ['DateTime?', 'Since when the oldest runnable job is due.'],
  }),
});

const CenterCounts = builder.objectRef<Installation['centers']>('CenterCounts').implement({
  description: 'The number of centers by status.',
  fields: onlyProperties({
    active: ['Int', 'Active centers.'],
    suspended: ['Int', 'Suspended.'],
    inactive: ['Int', 'Permanently closed centers.'],
  }),
});

const InstallationType = builder.objectRef<Installation>('Installation').implement({
  description: 'The state of the installation.',
  fields: onlyProperties({
    service: ['String', 'The name used in signatures.'],
    checks: [[InstallationCheck], 'The status of each part.'],
    queue: [Queue, 'The state of the job queue.'],
    partners: ['Int', 'The number of partners.'],
    people: ['Int', 'The number of accounts.'],
    centers: [CenterCounts, 'The number of centers by status.'],
    databaseBytes: ['Float', 'The size of its database.'],
    wall: [
      'String',
      '`two logins` when the login that serves requests owns nothing in the database; `one login` when an injected statement could become the owner (docs/operations.md).',
    ],
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
