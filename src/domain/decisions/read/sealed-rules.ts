import type { SealedDecision } from '@countersign/proof-kit/decision';
import type { AttributedFinding } from '@countersign/proof-kit/effective-policy';
import { sql } from '../../../db/sql.ts';
import { type Context, currentCenterId, ownRows } from '../../context.ts';

/** Under which rules a decision was sealed. */
export interface SealedRules {
  guards: AttributedFinding[];
  mandate: SealedDecision['mandate'];
}

const SEALED_CONTENTS = sql('sealed_contents', { id: 'text', content: 'text' })`
  SELECT e.id, r.content FROM decision_event e
  JOIN dpu d ON d.id = e.dpu_id
  JOIN ledger_record r ON r.chain_id = d.chain_id AND r.index = d.index
  WHERE e.id = ANY ($eventIds) AND e.center_id = $centerId`;

/** From the ledger, by event id. Decisions that are not sealed are missing. */
export async function sealedRulesOf(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, SealedRules>> {
  if (eventIds.length === 0) return new Map();
  const rows = await SEALED_CONTENTS.rows(ownRows(ctx), { eventIds, centerId: currentCenterId(ctx) });
  return new Map(
    rows.map(({ id, content }) => {
      const { policy, mandate } = JSON.parse(content) as SealedDecision;
      const guards = policy.guards.map(({ policy: setBy = null, version = null, ...finding }) => ({
        ...(finding as Pick<AttributedFinding, 'guard' | 'verdict' | 'detail'>),
        policy: setBy,
        version,
      }));
      return [id, { guards, mandate }];
    }),
  );
}
