import { IconCircleCheck } from '@tabler/icons-react';
import { Copyable } from '../../../ui/copy.tsx';
import { TablePanel } from '../../../ui/loaded-table.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ExactTime } from '../../../ui/time.tsx';
import type { Provider } from './provider.ts';

/** The newest failed sign-ins. The request ID is the one that the person saw. */
export const RecentFailures = ({ of: failures }: { of: Provider['failures'] }) => (
  <TablePanel
    title="Recent failures"
    hint="The newest sign-ins through the provider that failed, with the request ID that the person saw."
    rows={failures}
    keyOf={({ requestId, at }) => at + requestId}
    empty={<Empty small icon={<IconCircleCheck />} title="No failed sign-in" />}
    columns={[
      { name: 'When', cell: ({ at }) => <ExactTime at={at} /> },
      {
        name: 'Reason',
        text: ({ reason }) => reason,
        cell: ({ reason, code }) => (
          <>
            {reason}
            <span className="subline mono">{code}</span>
          </>
        ),
      },
      {
        name: 'Request ID',
        cell: ({ requestId }) => <Copyable value={requestId} label="Copy the request ID" />,
      },
    ]}
  />
);
