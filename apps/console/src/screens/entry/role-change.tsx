import { Button, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useEffect, useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { roleNames } from '../../text/roles.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty, Lines, Problem } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';

const Look = graphql(`
  mutation ReadRoleChange($input: RoleChangeInput!) {
    readRoleChange(input: $input) { centerName centerDomain centerVertical role pendingRole }
  }
`);
const Confirm = graphql(`
  mutation ConfirmRoleChange($input: RoleChangeInput!) { confirmRoleChange(input: $input) { id role } }
`);

/** The page of a role-change link: the person confirms or declines. */
export function RoleChangeScreen() {
  const look = useAction(Look, { quiet: true });
  const act = useAction(Confirm, { quiet: true });
  const [offer, setOffer] = useState<ResultOf<typeof Look>['readRoleChange']>();
  const [done, setDone] = useState(false);
  const { run } = look;
  useEffect(() => {
    if (mailedToken)
      void run({ input: { token: mailedToken } }).then((found) => found && setOffer(found.readRoleChange));
  }, [run]);
  if (!mailedToken || look.failure) {
    return (
      <EntryFrame title="Your role">
        {look.failure && look.failure.code !== 'UNAUTHORIZED' ? (
          <Problem small failure={look.failure} />
        ) : (
          <Empty small icon={<IconLinkOff />} title="This link is no longer valid">
            It may have been used, replaced, or be older than seven days. Ask your center to send another.
          </Empty>
        )}
      </EntryFrame>
    );
  }
  if (!offer) {
    return (
      <EntryFrame title="Your role">
        <Lines count={3} />
      </EntryFrame>
    );
  }
  const roles = roleNames(offer.centerVertical);
  const role = roles.oneInText(offer.pendingRole);
  if (done) {
    return (
      <EntryFrame title="Your role" center={offer.centerDomain}>
        <Empty
          small
          icon={<IconCircleCheck />}
          title="You have confirmed"
          action={<ButtonLink to="/sign-in">Sign in</ButtonLink>}
        >
          You are a {role} of {offer.centerName} now.
        </Empty>
      </EntryFrame>
    );
  }
  const confirm = async () => {
    if (await act.run({ input: { token: mailedToken! } })) setDone(true);
  };
  return (
    <EntryFrame
      title={`Become a ${role} of ${offer.centerName}?`}
      center={offer.centerDomain}
      intro={`You are ${roles.oneInText(offer.role)} there now. Nothing changes unless you confirm.`}
    >
      <Stack>
        <FailureNote failure={act.failure} />
        <Text>The center can then assign a guardian, who sees the names of all your centers.</Text>
        <Button size="md" loading={act.busy} onClick={() => void confirm()}>
          Confirm change
        </Button>
      </Stack>
    </EntryFrame>
  );
}
