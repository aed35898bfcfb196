import { type Installation, readInstallation } from '../../domain/installation/state.ts';
import { watchInstallation } from '../../domain/installation/watch.ts';
import { builder } from '../builder.ts';

const CheckName = builder.enumType('InstallationCheckName', {
  description: 'A part of the installation.',
  values: {
    MIGRATIONS: { description: 'The database has the shape that this version needs.' },
    NOTIFICATIONS: { description: 'Processes tell each other what happens.' },
    JOBS: { description: 'Mails, webhooks and workflows are worked off in time.' },
    SIGNING: { description: 'New states of the chains are signed.' },
    WITNESSES: { description: 'The configured witnesses cosign the newest head.' },
  } as const,
});

const Check = builder.objectRef<Installation['checks'][number]>('InstallationCheck').implement({
  description: 'Whether a part of the installation works.',
  fields: (t) => ({
    name: t.expose('name', { type: CheckName, description: 'Which part was looked at.' }),
    ok: t.exposeBoolean('ok', { description: 'Whether it works.' }),
    problem: t.exposeString('problem', { nullable: true, description: 'What is wrong; null if nothing is.' }),
  }),
});

const Queue = builder.objectRef<Installation['queue']>('InstallationQueue').implement({
  description: 'The jobs that the workers have before them.',
  fields: (t) => ({
    ready: t.exposeInt('ready', { description: 'How many jobs are due now.' }),
    waiting: t.exposeInt('waiting', { description: 'How many jobs are due later.' }),
    failed: t.exposeInt('failed', { description: 'Given up for good.' }),
    oldestDueSince: t.expose('oldestDueSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when the job that waits the longest to be taken up is due.',
    }),
  }),
});

const CenterCounts = builder.objectRef<Installation['centers']>('CenterCounts').implement({
  description: 'How many centers there are, by whether they are open.',
  fields: (t) => ({
    active: t.exposeInt('active', { description: 'How many are open.' }),
    suspended: t.exposeInt('suspended', { description: 'Closed for a while.' }),
    inactive: t.exposeInt('inactive', { description: 'How many have ended for good.' }),
  }),
});

const InstallationType = builder.objectRef<Installation>('Installation').implement({
  description: 'How the whole installation stands.',
  fields: (t) => ({
    service: t.exposeString('service', { description: 'The name under which it signs.' }),
    checks: t.field({
      type: [Check],
      description: 'What its parts say about themselves.',
      resolve: ({ checks }) => checks,
    }),
    queue: t.field({
      type: Queue,
      description: 'How its queue of jobs stands.',
      resolve: ({ queue }) => queue,
    }),
    partners: t.exposeInt('partners', { description: 'How many partners there are.' }),
    people: t.exposeInt('people', { description: 'How many people have an account.' }),
    centers: t.field({
      type: CenterCounts,
      description: 'How many centers it has, by status.',
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
    description: 'How the whole installation stands: for platform admins.',
    authScopes: { access: { platformAdmin: true } },
    complexity: 100,
    resolve: (_, __, ctx) => readInstallation(ctx),
  }),
);

builder.subscriptionField('installation', (t) =>
  t.field({
    type: InstallationType,
    description: 'How the whole installation stands, now and whenever it changes: for platform admins.',
    authScopes: { access: { platformAdmin: true } },
    subscribe: (_, __, ctx) => watchInstallation(ctx),
    resolve: (state: Installation) => state,
  }),
);
