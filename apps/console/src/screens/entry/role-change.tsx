import { Text } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { roleNames } from '../../text/roles.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { MailedLink } from './mailed-link.tsx';

const Look = graphql(`
  mutation ReadRoleChange($input: RoleChangeInput!) {
    readRoleChange(input: $input) { centerName centerDomain centerVertical role pendingRole }
  }
`);
const Confirm = graphql(`
  mutation ConfirmRoleChange($input: RoleChangeInput!) { confirmRoleChange(input: $input) { id role } }
`);

/** The page of a role-change link: the person confirms or declines. */
export default function RoleChangeScreen() {
  return (
    <MailedLink title="Your role" query={Look} invalid={invalid}>
      {({ readRoleChange }, token) => <Answer offer={readRoleChange} token={token} />}
    </MailedLink>
  );
}

const invalid = (
  <Empty small icon={<IconLinkOff />} title="This link is no longer valid">
    It may have been used, replaced, or be older than seven days. Ask your center to send another.
  </Empty>
);

type Offer = ResultOf<typeof Look>['readRoleChange'];

function Answer({ offer, token }: { offer: Offer; token: string }) {
  const [done, setDone] = useState(false);
  const action = useActionForm(Confirm, {
    initialValues: {},
    input: () => ({ token }),
    onDone: () => setDone(true),
  });
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
  return (
    <EntryFrame
      title={`Become a ${role} of ${offer.centerName}?`}
      center={offer.centerDomain}
      intro={`You are ${roles.oneInText(offer.role)} there now. Nothing changes unless you confirm.`}
    >
      <ActionForm {...action} verb="Confirm change" button={{ size: 'md' }}>
        <Text>The center can then assign a guardian, who sees the names of all your centers.</Text>
      </ActionForm>
    </EntryFrame>
  );
}
