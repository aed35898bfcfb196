import { type DocumentNode, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { RequestContext } from '../api/request-context.ts';
import { readFromReplica } from '../domain/context.ts';

/**
 * The queries that a replica may answer: lists, searches, statistics, verifications and exports. Everything else reads from
 * the primary: the caller's identity, data that a write depends on, and lookups by id, because a caller expects to find an id
 * it was just given.
 */
export const replicaReads: ReadonlySet<string> = new Set([
  'allCenters',
  'apiKeys',
  'approvals',
  'approvalsForMe',
  'attendances',
  'auditEntries',
  'bookings',
  'certificates',
  'checkpoints',
  'decisionEventPage',
  'decisionEvents',
  'decisionExport',
  'decisionsByDay',
  'delegations',
  'dpuExport',
  'dpuStats',
  'dpus',
  'events',
  'evidenceExport',
  'groups',
  'guardianships',
  'journal',
  'mandates',
  'members',
  'partnerActivityByDay',
  'partnerAudit',
  'partnerAuditPage',
  'partnerCenterPage',
  'partnerCenters',
  'partnerDashboard',
  'partnerMemberPage',
  'partnerMembers',
  'partnerPayments',
  'partnerRevenueByMonth',
  'partners',
  'policies',
  'searchCenters',
  'strandedMembers',
  'verifyChain',
  'verifyDpu',
  'webhookDeliveries',
  'webhooks',
  'workflowExecutions',
  'workflows',
]);

const known = new WeakMap<DocumentNode, boolean>();

/**
 * Whether a document has a single operation, a query, whose fields a replica may all answer. Of the subscriptions, only a
 * verification reads from the replica: the others read rows as soon as they are announced.
 */
function mayReadFromReplica(document: DocumentNode): boolean {
  const before = known.get(document);
  if (before !== undefined) return before;
  const operation = getOperationAST(document);
  const names = operation?.selectionSet.selections.map((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value : '',
  );
  const may =
    operation?.operation === 'subscription'
      ? names!.every((name) => name === 'verifyChain')
      : operation?.operation === 'query' && names!.every((name) => replicaReads.has(name));
  known.set(document, may);
  return may;
}

interface Operation {
  document: DocumentNode;
  operationName?: string | null | undefined;
  contextValue: RequestContext;
}

/** Records a mutation, and chooses where any other operation reads. */
function choose({ args }: { args: object }): undefined {
  const { document, operationName, contextValue: context } = args as Operation;
  if (!context.app.db.replica) return;
  if (getOperationAST(document, operationName)?.operation === 'mutation') context.noteWrite();
  else if (context.mayLag && mayReadFromReplica(document)) readFromReplica(context, context.readAfter);
}

/** Every operation reads from the primary or the replica as a whole. */
export const chooseReads: Pick<Plugin, 'onExecute' | 'onSubscribe'> = {
  onExecute: choose,
  onSubscribe: choose,
};
