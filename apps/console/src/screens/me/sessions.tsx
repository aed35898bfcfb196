import { Button } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { deviceLabel } from '../../text/labels.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const MySessions = graphql(`
  query MySessions { sessions { id current ip userAgent createdAt lastUsedAt } }
`);
const Revoke = graphql(`
  mutation RevokeSession($input: RevokeSessionInput!) { revokeSession(input: $input) { id revokedAt } }
`);
const RevokeOthers = graphql(`mutation RevokeOtherSessions { revokeOtherSessions }`);

export function Sessions() {
  const read = useRead(MySessions, {});
  const revoke = useAction(Revoke, { done: 'The device was signed out.' });
  const others = useAction(RevokeOthers, { done: 'All other devices were signed out.' });
  const after = async (done: Promise<unknown>) => {
    await done;
    read.reload();
  };
  return (
    <Panel
      title="Devices"
      flush
      actions={
        (read.data?.sessions.length ?? 0) > 1 && (
          <Button
            size="xs"
            variant="default"
            loading={others.busy}
            onClick={() => void after(others.run({}))}
          >
            Sign out everywhere else
          </Button>
        )
      }
    >
      <Loaded of={read} skeleton={<Lines count={3} />} small>
        {({ sessions }) => (
          <Table
            label="Sessions"
            rows={sessions}
            columns={[
              {
                name: 'Device',
                cell: ({ userAgent, current }) => (
                  <>
                    <strong>{deviceLabel(userAgent)}</strong> {current && <Pill tone="good">This one</Pill>}
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
                cell: ({ id, current, userAgent }) =>
                  !current && (
                    <RowButton
                      verb="Sign out"
                      about={deviceLabel(userAgent)}
                      onClick={() => void after(revoke.run({ input: { id } }))}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
