import type { DecisionEventStatus, DecisionEventType } from '../../types.ts';
import { type Command, EXIT, required, text, UsageError } from '../command.ts';
import { keyClient, personSession } from '../session.ts';

const COLUMNS = ['id', 'status', 'type', 'action', 'actor', 'createdAt'] as const;
const MOST = 1_000;

export const decisions: Command = {
  summary: 'list, show, approve or reject decisions',
  help: `countersign decisions list [--status S] [--type T] [--tag T] [--limit N]   newest first (API key)
countersign decisions show ID                                            everything about one (API key)
countersign decisions approve ID [--reason TEXT]                         in person (login)
countersign decisions reject ID [--reason TEXT]                          in person (login)`,
  options: {
    status: { type: 'string' },
    type: { type: 'string' },
    tag: { type: 'string' },
    limit: { type: 'string' },
    reason: { type: 'string' },
  },
  async run({ positionals: [verb, id], values, print }) {
    switch (verb) {
      case 'list': {
        const limit = Number(text(values, 'limit') ?? 20);
        if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
          throw new UsageError(`--limit must be a whole number from 1 to ${MOST}.`);
        }
        const filter = {
          pageSize: Math.min(limit, 100),
          ...(text(values, 'status') && { status: text(values, 'status') as DecisionEventStatus }),
          ...(text(values, 'type') && { type: text(values, 'type') as DecisionEventType }),
          ...(text(values, 'tag') && { tag: text(values, 'tag')! }),
        };
        const rows: Record<string, unknown>[] = [];
        for await (const event of (await keyClient()).decisions.list(filter)) {
          const { action, actor, ...rest } = event;
          rows.push({ ...rest, action: action.type, actor: actor.id });
          if (rows.length === limit) break;
        }
        print.rows(rows, COLUMNS);
        return EXIT.done;
      }
      case 'show':
        print.object(await (await keyClient()).decisions.get(required(id, 'The id of the decision')));
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
              reason: text(values, 'reason') ?? null,
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
