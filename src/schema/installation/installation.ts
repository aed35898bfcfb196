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
  SIGNING: 'The service does not refuse to sign checkpoints.',
  WITNESSES: 'The configured witnesses cosign the newest head.',
});

const InstallationCheck = builder.objectRef<Check>('InstallationCheck').implement({
  description: 'The status of a part of the installation.',
  fields: onlyProperties({
    name: [CheckName, 'Which part was checked.'],
    ok: ['Boolean', 'Whether it is healthy.'],
    problem: ['String?', 'What is wrong with the part; null if it is healthy.'],
  }),
});

const Queue = builder.objectRef<Installation['queue']>('InstallationQueue').implement({
  description: 'The state of the background jobs of all centers.',
  fields: onlyProperties({
    ready: ['Int', 'The number of jobs that are due and wait for a worker.'],
    waiting: ['Int', 'The number of jobs that are due later.'],
    failed: ['Int', 'The number of jobs that failed for good after all attempts.'],
    oldestDueSince: ['DateTime?', 'When the oldest waiting job became due, in UTC; null if none is due.'],
  }),
});

const CenterCounts = builder.objectRef<Installation['centers']>('CenterCounts').implement({
  description: 'How many centers have each status.',
  fields: onlyProperties({
    active: ['Int', 'The number of centers whose members can enter.'],
    suspended: ['Int', 'The number of suspended centers; no member can enter them.'],
    inactive: ['Int', 'The number of centers that were closed for good.'],
  }),
});

const InstallationType = builder.objectRef<Installation>('Installation').implement({
  description: 'The state of the installation: its health, its job queue and its size.',
  fields: onlyProperties({
    service: ['String', 'The host of the public address, which also names the service in its signatures.'],
    checks: [[InstallationCheck], 'The status of each part.'],
    queue: [Queue, 'The state of the job queue.'],
    partners: ['Int', 'The number of partners in the installation.'],
    people: ['Int', 'The number of accounts in the installation.'],
    centers: [CenterCounts, 'The number of centers by status.'],
    databaseBytes: ['Float', 'The size of the database in bytes.'],
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
