import type { DecisionEventStatus, DecisionEventType } from '../../types.ts';
import { type Command, EXIT, required, text, texts, UsageError } from '../command.ts';
import { hasKey, keyClient, pagesOf, personSession } from '../session.ts';

const COLUMNS = ['id', 'status', 'type', 'action', 'actor', 'createdAt'] as const;
const MOST = 1_000;

export const decisions: Command = {
  summary: 'list, show, approve or reject decisions',
  help: `countersign decisions list [--status S] [--type T] [--tag T] [--limit N]   newest first
countersign decisions show ID                                            everything about one
countersign decisions approve ID [--reason TEXT]                         in person (login)
countersign decisions reject ID [--reason TEXT]                          in person (login)

list and show use the API key where there is one, else the login.`,
  options: texts('status', 'type', 'tag', 'limit', 'reason'),
  async run({ positionals: [verb, id], values, print }) {
    switch (verb) {
      case 'list': {
        const limit = Number(text(values, 'limit') ?? 20);
        if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
          throw new UsageError(`--limit must be a whole number from 1 to ${MOST}.`);
        }
        const filter = {
          ...(text(values, 'status') && { status: text(values, 'status') as DecisionEventStatus }),
          ...(text(values, 'type') && { type: text(values, 'type') as DecisionEventType }),
          ...(text(values, 'tag') && { tag: text(values, 'tag')! }),
        };
        const rows: Record<string, unknown>[] = [];
        const source = (await hasKey())
          ? (await keyClient()).decisions.list({ ...filter, pageSize: Math.min(limit, 100) })
          : ownDecisions(filter);
        for await (const { action, actor, ...rest } of source) {
          rows.push({ ...rest, action: action.type, actor: actor.id });
          if (rows.length === limit) break;
        }
        print.rows(rows, COLUMNS);
        return EXIT.done;
      }
      case 'show':
        print.object(await oneDecision(required(id, 'The id of the decision')));
        return EXIT.done;
      case 'approve':
      case 'reject': {
        const { query } = await personSession();
        const data = await query<{ approveDecision: Record<string, unknown> }>(
          `mutation ($input: ApproveDecisionInput!) {
            approveDecision(input: $input) { approvalId result evidenceLevel sealedHash sealedAt }
          }`,
          {
            input: {
              eventId: required(id, 'The id of the decision'),
              result: verb === 'approve' ? 'approved' : 'rejected',
              ...(text(values, 'reason') && { reason: text(values, 'reason') }),
            },
          },
        );
        print.rows([data.approveDecision], ['approvalId', 'result', 'evidenceLevel', 'sealedHash']);
        return EXIT.done;
      }
      default:
        throw new UsageError('Say list, show, approve or reject.');
    }
  },
};

const SUMMARY = 'id decisionId type status actor { id type name } action { type } tags createdAt updatedAt';

interface Summary extends Record<string, unknown> {
  action: { type: string };
  actor: { id: string };
}

/** The decisions of the current center. */
async function* ownDecisions(filter: object): AsyncGenerator<Summary> {
  const { query } = await personSession();
  const document = `query ($filter: DecisionEventFilter, $after: String) {
    decisionEvents(first: 100, after: $after, filter: $filter) {
      edges { node { ${SUMMARY} } } pageInfo { hasNextPage endCursor }
    }
  }`;
  yield* pagesOf<Summary>(query, document, 'decisionEvents', { filter });
}

async function oneDecision(id: string): Promise<unknown> {
  if (await hasKey()) return (await keyClient()).decisions.get(id);
  const { query } = await personSession();
  const { decisionEvent } = await query<{ decisionEvent: unknown }>(
    `query ($id: ID!) {
      decisionEvent(id: $id) {
        id decisionId type status actor { id type name } action { type description input output }
        aiContext { model provider confidence reasoning } tags occurredAt expiresAt argumentsDigest
        approvals { id approver { id type name } result reason createdAt } outcome { status output recordedAt }
        evidence { id status chainHash chainIndex } createdAt updatedAt
      }
    }`,
    { id },
  );
  return decisionEvent;
}
