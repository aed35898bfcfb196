import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Empty, Lines, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { ToTheMinute } from '../../ui/time.tsx';
import { DelegateDialog } from './delegate-dialog.tsx';

const Delegations = graphql(`
  query Delegations {
    delegations { id from until reason endedAt delegator { id actorId name } delegate { id actorId name } }
  }
`);
const End = graphql(`mutation EndDelegation($id: ID!) { endDelegation(id: $id) { id endedAt } }`);

type Delegation = ResultOf<typeof Delegations>['delegations'][number];

/** A person's delegates, and whom the person represents. */
export function OwnDelegations() {
  const { me } = useSession();
  const read = useRead(Delegations, {});
  const end = useAct(End, { done: 'The delegation has ended.' });
  const [opened, { open, close }] = useDisclosure();
  const isOwn = ({ delegator, delegate }: Delegation) =>
    delegator.actorId === me.actorId || delegate.actorId === me.actorId;
  return (
    <Panel
      title="Standing in for each other"
      hint="While you are away, a colleague can fill the seats of your approval groups."
      flush
      actions={
        <Button size="xs" variant="default" onClick={open}>
          Name a delegate
        </Button>
      }
    >
      <Loaded of={read} skeleton={<Lines count={2} />} small>
        {({ delegations }) =>
          delegations.filter(isOwn).length === 0 ? (
            <Empty small title="No delegations" />
          ) : (
            <Table
              label="Delegations"
              keyOf={({ id }) => id}
              rows={delegations.filter(isOwn)}
              columns={[
                {
                  name: 'Who',
                  cell: ({ delegator, delegate, reason }) => (
                    <>
                      <strong>
                        {delegator.actorId === me.actorId
                          ? `${delegate.name} for you`
                          : `You for ${delegator.name}`}
                      </strong>
                      <br />
                      {reason}
                    </>
                  ),
                },
                { name: 'From', cell: ({ from }) => <ToTheMinute at={from} /> },
                { name: 'Until', cell: ({ until }) => <ToTheMinute at={until} /> },
                { name: 'Status', cell: (delegation) => <DelegationState of={delegation} /> },
                {
                  name: 'End',
                  unnamed: true,
                  right: true,
                  cell: (delegation) =>
                    delegation.delegator.actorId === me.actorId &&
                    stateOf(delegation) !== 'over' && (
                      <Button
                        size="compact-xs"
                        variant="subtle"
                        color="red"
                        onClick={() => void end.run({ id: delegation.id }).then(read.reload)}
                      >
                        End
                        <span className="visually-hidden"> the delegation to {delegation.delegate.name}</span>
                      </Button>
                    ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <DelegateDialog opened={opened} onClose={close} onDone={read.reload} />
    </Panel>
  );
}

function stateOf({ from, until, endedAt }: Delegation): 'coming' | 'now' | 'over' {
  const now = Date.now();
  if (endedAt !== null || Date.parse(until) <= now) return 'over';
  return Date.parse(from) > now ? 'coming' : 'now';
}

function DelegationState({ of: delegation }: { of: Delegation }) {
  const state = stateOf(delegation);
  if (state === 'over') return <Pill>Ended</Pill>;
  return state === 'now' ? <Pill tone="good">In force</Pill> : <Pill tone="warn">Not yet</Pill>;
}
