import type { Prisma } from './generated/prisma/client.ts';

/**
 * Which rows of each model a center may access. The list is exhaustive by type: a new model without an entry does not
 * compile, so no query can omit its tenant.
 *
 * - a function: the filter that is added to every query of the model
 * - 'shared': reference data that every tenant may read
 * - 'closed': not available to a tenant's client, only to code that uses `acrossTenants` explicitly
 */
type Scope = ((centerId: number) => object) | 'shared' | 'closed';

const byColumn = (centerId: number) => ({ centerId });

const scopes: Record<Prisma.ModelName, Scope> = {
  // The center does not know a person who has not accepted an invitation yet.
  Actor: (centerId) => ({ memberships: { some: { centerId, status: { notIn: ['INVITED', 'REJECTED'] } } } }),
  ApiKey: byColumn,
  Approval: byColumn,
  ApprovalGroup: byColumn,
  ApprovalGroupMember: byColumn,
  Attendance: byColumn,
  AuditEntry: byColumn,
  AvailabilityRule: byColumn,
  Booking: byColumn,
  Center: (centerId) => ({ id: centerId }),
  CenterWord: 'closed',
  Certificate: byColumn,
  ChatChannel: byColumn,
  ChatNotice: byColumn,
  Checkpoint: (centerId) => ({ chain: { centerId } }),
  DecisionEvent: byColumn,
  DecisionEventTag: byColumn,
  DecisionNotice: byColumn,
  Delegation: byColumn,
  Delivery: byColumn,
  DeliveryAttempt: (centerId) => ({ delivery: { centerId } }),
  Dpu: byColumn,
  EmailDomain: byColumn,
  Escalation: byColumn,
  Guardianship: 'closed',
  IdempotencyRecord: 'closed',
  Identity: byColumn,
  IdentityProvider: byColumn,
  JournalBy: byColumn,
  JournalPeople: byColumn,
  LedgerChain: byColumn,
  LedgerNode: 'closed',
  LedgerRecord: (centerId) => ({ dpu: { centerId } }),
  LinkToken: 'closed',
  LogCosignature: 'closed',
  LogHead: 'closed',
  PendingErasure: byColumn,
  HistoryState: 'closed',
  ClosedLog: 'closed',
  ClosedLogEntry: 'closed',
  LogTile: 'closed',
  LoginCounter: 'closed',
  Mail: 'closed',
  Mandate: byColumn,
  Membership: byColumn,
  NotificationPosition: byColumn,
  NotificationSetting: 'closed',
  Outcome: byColumn,
  Partner: 'closed',
  PartnerActivity: 'closed',
  PartnerMembership: 'closed',
  Passkey: 'closed',
  PasskeyChallenge: 'closed',
  Payment: byColumn,
  Plan: 'shared',
  PlatformEvent: byColumn,
  Policy: byColumn,
  PolicyVersion: (centerId) => ({ policy: { centerId } }),
  PracticeRequest: byColumn,
  PreparedApproval: byColumn,
  ProviderFailure: byColumn,
  ProviderTest: byColumn,
  ProvisioningOrder: 'closed',
  QuestionNotice: byColumn,
  RateCounter: 'closed',
  RefreshToken: 'closed',
  ScimToken: byColumn,
  ScimUser: byColumn,
  SearchWord: 'closed',
  SeenCode: 'closed',
  Session: 'closed',
  SignInFlow: 'closed',
  SignInTicket: 'closed',
  SigningKey: 'closed',
  SigningKeyLine: 'closed',
  SigningState: 'closed',
  SsoToken: 'closed',
  Subscription: byColumn,
  Tally: 'closed',
  TallyDelta: 'closed',
  TenantMapping: byColumn,
  UsedLogoutToken: 'closed',
  WaitingIdentity: 'closed',
  Webhook: byColumn,
  WitnessState: 'closed',
  ProcessHeartbeat: 'closed',
  Workflow: byColumn,
  WorkflowExecution: byColumn,
  WorkflowStepRun: (centerId) => ({ execution: { centerId } }),
  WorkflowVersion: (centerId) => ({ workflow: { centerId } }),
};

/**
 * Tables without row-level security, with the reason. All other tables enforce it (migration access; a test compares). These
 * tables reveal nothing about a center to an unfiltered reader.
 */
export const withoutRowSecurity: Readonly<Record<string, string>> = {
  _prisma_migrations: 'what was migrated',
  idempotency_record:
    'found by caller and key only, who may belong to no center; the kept answers are encrypted, each bound to both',
  closed_log: 'published',
  closed_log_entry: 'published',
  history_state: 'of the service',
  log_cosignature: 'published',
  log_head: 'published',
  log_tile: 'published',
  login_counter: 'counts of attempts',
  plan: 'what can be subscribed to',
  process_heartbeat: 'of the service',
  rate_counter: 'counts of requests',
  search_word: 'words alone, without the centers that have them',
  signing_key: 'of the service; the private halves are encrypted',
  signing_key_line: 'published',
  signing_state: 'of the service',
  tally:
    'numbers under the ids of what is counted, or the digest of a tag; many of them sums over all centers of a partner; no content',
  tally_delta: 'the same',
  witness_state: 'of the service',
};

const READS = new Set([
  'findUnique',
  'findUniqueOrThrow',
  'findFirst',
  'findFirstOrThrow',
  'findMany',
  'count',
  'aggregate',
  'groupBy',
]);

interface Args {
  where?: object;
  data?: object | object[];
  create?: object;
  update?: object;
}

/** Adds the tenant to the arguments of an operation, or throws if tenants may not use it. */
export function scopeArguments(
  model: Prisma.ModelName,
  operation: string,
  args: Args,
  centerId: number,
): Args {
  const scope = scopes[model];
  if (scope === 'closed' || (scope === 'shared' && !READS.has(operation))) {
    throw new Error(`${model}.${operation} is not for a tenant's client`);
  }
  if (scope === 'shared') return args;
  // Only models with the column can be stamped; the others belong to a parent that was read in scope.
  const stamp = scope === byColumn ? { centerId } : {};
  const where = narrowed(args.where, scope(centerId));
  switch (operation) {
    case 'create':
      return { ...args, data: { ...args.data, ...stamp } };
    case 'createMany':
    case 'createManyAndReturn':
      return { ...args, data: [args.data ?? []].flat().map((row) => ({ ...row, ...stamp })) };
    case 'upsert':
      return { ...args, where, create: { ...args.create, ...stamp }, update: kept(args.update, stamp) };
    case 'update':
    case 'updateMany':
    case 'updateManyAndReturn':
      return { ...args, where, data: kept(args.data as object, stamp) };
    default:
      return { ...args, where };
  }
}

/** AND, so that the caller's filter can narrow the tenant's filter but not replace it. */
function narrowed(where: Args['where'], scope: object): object {
  return { ...where, AND: [scope, ...[(where as { AND?: object })?.AND ?? []].flat()] };
}

/** An update can only set the tenant's own center: rows never move between tenants. */
function kept(change: object = {}, stamp: object): object {
  return 'centerId' in change ? { ...change, ...stamp } : change;
}
