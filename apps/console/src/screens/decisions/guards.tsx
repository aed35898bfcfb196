import { guardPoint } from '@countersign/proof-kit/card-sections';
import { isRequired } from '@countersign/proof-kit/guard-sentences';
import { Points } from '../../ui/decision-card/points.tsx';

interface GuardVerdict {
  guard: string;
  verdict: string;
  detail: string;
  policyId: string | null;
  version: number | null;
}

/** What each guard says, as decision cards say it. */
export const GuardList = ({ guards }: { guards: GuardVerdict[] }) => (
  <Points
    of={guards
      .filter(isRequired)
      .map(({ policyId, version, ...guard }) =>
        guardPoint({}, { ...guard, policy: policyId ?? undefined, version: version ?? undefined }),
      )}
  />
);

/** Such as “2 of Finance”. */
export const seatLabel = ({
  count,
  group,
  groupName,
}: {
  count: number;
  group: string | null;
  groupName: string | null;
}) => `${count} of ${group === null ? 'any human' : (groupName ?? 'a group that was deleted')}`;
