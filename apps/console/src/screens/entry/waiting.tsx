import { Button, Group, Stack } from '@mantine/core';
import { IconClockHour4 } from '@tabler/icons-react';
import { useEffect } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { approverLabel } from '../../text/approver.ts';
import { roleNames } from '../../text/roles.ts';
import { MembershipState } from '../../ui/state-pill.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { useNow } from '../../ui/use-now.ts';
import classes from './centers.module.css';
import { EntryFrame, SignOutButton } from './entry-frame.tsx';

const MyMemberships = graphql(`
  query MyMemberships {
    me { authorizedDomains memberships { id centerName centerDomain centerVertical role status invitedAt approver { kind name } } }
  }
`);
const Accept = graphql(`
  mutation AcceptMembership($input: MembershipMoveInput!) { acceptMembership(input: $input) { id status } }
`);
const Decline = graphql(`
  mutation DeclineMembership($input: MembershipMoveInput!) { rejectMembership(input: $input) { id status } }
`);

const LOOK_AGAIN_MS = 15_000;

/** For people who are invited or wait for approval: what they wait for, and what they can do. */
export default function WaitingScreen() {
  const read = useRead(MyMemberships, {});
  const accept = useAction(Accept, { done: 'You have accepted the invitation.' });
  const decline = useAction(Decline, { done: 'The invitation was declined.' });
  const { reload } = read;
  const now = useNow(LOOK_AGAIN_MS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per tick, not once per render
  useEffect(reload, [now]);
  // With several centers, no brand is the right one.
  const domains = new Set(read.data?.me.memberships.map(({ centerDomain }) => centerDomain));
  const entered = (read.data?.me.authorizedDomains.length ?? 0) > 0;
  useEffect(() => {
    if (entered) location.assign('/');
  }, [entered]);
  const move = async (act: typeof accept | typeof decline, membershipId: string) => {
    await act.run({ input: { membershipId } });
    reload();
  };
  return (
    <EntryFrame
      title="Almost there"
      center={domains.size === 1 ? [...domains][0] : undefined}
      intro="This page opens your center as soon as your membership is approved. You also get an email."
      foot={<SignOutButton />}
    >
      <Loaded of={read}>
        {({ me }) =>
          me.memberships.length === 0 ? (
            <Empty small icon={<IconClockHour4 />} title="You're all caught up" />
          ) : (
            <ul className={classes.list}>
              {me.memberships.map(({ id, centerName, centerVertical, role, status, invitedAt, approver }) => (
                <li key={id} className={classes.center}>
                  <Stack gap={8} flex={1}>
                    <Group justify="space-between" gap={8}>
                      <strong>{centerName}</strong>
                      <MembershipState status={status} />
                    </Group>
                    <span className={classes.words}>
                      <span>
                        {roleNames(centerVertical).one(role)} · invited <Ago at={invitedAt} />
                      </span>
                      {approver && status === 'PENDING' && (
                        <span>{approverLabel(approver)} approves your membership.</span>
                      )}
                    </span>
                    {status === 'INVITED' && (
                      <Group gap={8}>
                        <Button size="xs" loading={accept.busy} onClick={() => void move(accept, id)}>
                          Accept invitation
                        </Button>
                        <Button
                          size="xs"
                          variant="default"
                          loading={decline.busy}
                          onClick={() => void move(decline, id)}
                        >
                          Decline
                        </Button>
                      </Group>
                    )}
                  </Stack>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </EntryFrame>
  );
}
