import type { AttachedRecord } from '@countersign/proof-kit';
import { decidingChains } from '@countersign/proof-kit/considered';
import type { SealedDecision } from '@countersign/proof-kit/decision';
import { namedGroups } from '@countersign/proof-kit/seat-people';
import { sql, typed } from '../../../../db/sql.ts';
import { checkLink } from '../../../ledger/chains/check-link.ts';
import type { KeptPerson } from '../../../ledger/chains/journal.ts';
import { personDisclosure } from '../../../memberships/group-records.ts';
import type { ProofContext } from '../../decision-context.ts';
import type { ApprovalRow } from '../../row.ts';
import { attachedRecord, type Disclosed, placeOf, RECORD_COLUMNS, RECORD_ROW } from './attached-record.ts';

/** Of each group or delegation the newest record that the service had read when it sealed. */
const RECORDS = sql('seat_records_below', { ...RECORD_ROW, people: typed<readonly KeptPerson[]>('json') })`
  SELECT ${RECORD_COLUMNS}, n.people
  FROM unnest($subjects::text[]) WITH ORDINALITY AS s(id, place) CROSS JOIN LATERAL (
    SELECT p.* FROM journal_people p WHERE p.subject = s.id AND p.center_id = $centerId AND p.index < $size::int
    ORDER BY p.index DESC LIMIT 1) n
  JOIN ledger_record r ON r.chain_id = n.chain_id AND r.index = n.index
  ORDER BY s.place`;

/**
 * The groups whose seats were filled and the delegations under which they were. Only the approvers of this decision, and those
 * for whom they approved, are disclosed.
 */
export async function exportedGroups(
  ctx: ProofContext,
  content: SealedDecision,
  approvals: readonly ApprovalRow[],
  { isSigned, mayShow }: Disclosed,
): Promise<{ groups: AttachedRecord[]; delegations: AttachedRecord[] }> {
  const { own } = decidingChains(content);
  const size = content.policy.journals?.find(({ origin }) => origin === own)?.size;
  const groups = content.approvals.flatMap(namedGroups);
  const delegations = content.approvals.flatMap(({ delegation }) => delegation?.id ?? []);
  if (size === undefined || groups.length + delegations.length === 0) return { groups: [], delegations: [] };
  const people = shownPeople(approvals, mayShow);
  const centerId = content.center.id;
  const db = ctx.app.db.declared([centerId]);
  const attach = async (subjects: readonly string[]): Promise<AttachedRecord[]> => {
    const rows = await RECORDS.rows(db, { subjects: [...new Set(subjects)].sort(), centerId, size });
    return Promise.all(
      rows.map(async (row) => {
        await checkLink(db, placeOf(row));
        const disclosures = row.people.filter(({ id }) => people.has(id)).map(personDisclosure);
        return { ...(await attachedRecord(ctx, row, isSigned)), disclosures };
      }),
    );
  };
  return { groups: await attach(groups), delegations: await attach(delegations) };
}

/** Erased ids are no longer in the rows. A delegator is shown only if approvers and delegators both may be. */
function shownPeople(approvals: readonly ApprovalRow[], mayShow: Disclosed['mayShow']): Set<string> {
  if (!mayShow('approvals.approver.id')) return new Set();
  const showsOthers = mayShow('approvals.onBehalfOf');
  return new Set(
    approvals.flatMap(({ content: { approver, onBehalfOf } }) => [
      ...(approver.id === undefined ? [] : [approver.id]),
      ...(showsOthers && onBehalfOf != null ? [onBehalfOf] : []),
    ]),
  );
}
