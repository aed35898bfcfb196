import { Button } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { deviceLabel } from '../../text/labels.ts';
import { TablePanel } from '../../ui/loaded-table.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Ago } from '../../ui/time.tsx';

const MySessions = graphql(`
  query MySessions { sessions { id current provider ip userAgent createdAt lastUsedAt } }
`);
const Revoke = graphql(`
  mutation RevokeSession($input: RevokeSessionInput!) { revokeSession(input: $input) { id revokedAt } }
`);
const RevokeOthers = graphql(`mutation RevokeOtherSessions { revokeOtherSessions }`);

export function Sessions() {
  const read = useRead(MySessions, {});
  const revoke = useAction(Revoke, { done: 'The device was signed out.' });
  const others = useAction(RevokeOthers, { done: 'All other devices were signed out.' });
  return (
    <TablePanel
      title="Devices"
      label="Sessions"
      actions={
        (read.data?.sessions.length ?? 0) > 1 && (
          <Button
            size="xs"
            variant="default"
            loading={others.busy}
            onClick={() => void others.run({}).then(read.reload)}
          >
            Sign out everywhere else
          </Button>
        )
      }
      of={read}
      rows={read.data?.sessions}
      lines={3}
      columns={[
        {
          name: 'Device',
          cell: ({ userAgent, current, provider }) => (
            <>
              <strong>{deviceLabel(userAgent)}</strong> {current && <Pill tone="good">This one</Pill>}
              {provider && <span className="subline">Signed in with {provider}</span>}
            </>
          ),
        },
        {
          name: 'Address',
          cell: ({ ip }) => (
            <span className="mono" data-address>
              {ip}
            </span>
          ),
        },
        { name: 'Since', cell: ({ createdAt }) => <Ago at={createdAt} /> },
        { name: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
        {
          name: 'Sign out',
          unnamed: true,
          right: true,
          button: {
            isShown: ({ current }) => !current,
            about: ({ userAgent }) => deviceLabel(userAgent),
            onClick: ({ id }) => void revoke.run({ input: { id } }).then(read.reload),
          },
        },
      ]}
    />
  );
}
