/**
 * Where the code works on the rows of several centers, or of none, and why it must. Everything else declares the centers
 * that it works for, and the database shows it no others. A test compares this list with the code; a folder stands for all
 * files in it.
 */
export const acrossTenants: Readonly<Record<string, string>> = {
  'commands/': 'the operator names a center by its domain',
  'domain/api-keys/authenticate.ts': 'a key comes before its center is known',
  'domain/centers/administer.ts': 'platform admins belong to no center',
  'domain/centers/availability.ts': 'the outbox of mails belongs to no center',
  'domain/centers/book.ts': 'bookings of one instructor in several centers are compared for the instructor',
  'domain/centers/bookings.ts': 'an instructor sees which of their bookings overlap one in another center',
  'domain/centers/elsewhere.ts': 'whether an instructor worked in another center before',
  'domain/centers/list-all.ts': 'platform admins see the centers of all',
  'domain/centers/find.ts': 'anybody may ask for the public face of a center by its domain',
  'domain/centers/read-centers.ts':
    'people see all centers that they belong to, and one read serves many callers',
  'domain/centers/search.ts': 'a public search over open centers',
  'domain/credentials/': 'passwords, sessions and passkeys belong to people',
  'domain/housekeeping/': 'what has outlived its use is deleted for all at once',
  'domain/identity/': 'people, their sessions and their tokens belong to no center',
  'domain/installation/': 'platform admins see how many centers there are',
  'domain/ledger/checkpoints/': 'checkpoints and the head log are about the chains of all centers',
  'domain/ledger/verify/':
    'a verification must see records that no chain claims any more, whoever took the chain away',
  'domain/mail/': 'the outbox is worked off for all at once',
  'domain/notifications/':
    'people and chats of all centers are told in one round; a person has one mail for all their centers',
  'domain/memberships/': 'people are looked for wherever they are; families and guardians span centers',
  'domain/partners/': 'a partner works on all centers it owns',
  'domain/passkeys/': 'passkeys belong to people',
  'domain/plans/': 'plans are for everybody',
  'domain/policies/': 'policies of a country, a region or the world belong to no center',
  'domain/proof/escalate.ts': 'open decisions of all centers',
  'domain/proof/export/':
    'registrations of passkeys stand on the audit chain of the platform, policies above centers on its journal',
  'domain/proof/public-proof.ts': 'anybody may ask for a proof by the id of its decision',
  'domain/proof/sign.ts': 'passkeys belong to people',
  'domain/provisioning/': 'a center is being made',
  'domain/subscriptions/': 'partners and the payment of their centers; trials of all centers run out',
  'domain/unit-of-work.ts': 'offers it to those listed here',
  'domain/webhooks/requeue-lost.ts': 'deliveries of all centers',
  'domain/webhooks/sender.ts': 'a job knows its delivery, not yet whose it is',
  'domain/workflows/engine/lease.ts': 'a job knows its execution, not yet whose it is',
  'domain/workflows/queue-run.ts': 'executions of all centers',
  'domain/workflows/run-schedules.ts': 'schedules of all centers',
  'domain/workflows/start-event-workflows.ts': 'a job knows its event, not yet whose it is',
  'jobs/': 'a worker serves all centers',
  'seed/': 'the demo tenants are created together',
  'web/operations/metrics.ts': 'figures for the operator are sums over all chains',
};
