import { Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { approverLabel } from '../../text/approver.ts';
import { roleNames } from '../../text/roles.ts';
import { zoneLabel } from '../../text/schedule.ts';
import { deviceZone, timesIn } from '../../text/time.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { MailedLink } from './mailed-link.tsx';
import { NewPassword, passwordFault } from './new-password.tsx';

const Look = graphql(`
  mutation ReadInvitation($input: ReadInvitationInput!) {
    readInvitation(input: $input) { centerName centerDomain centerVertical role name email needsPassword expiresAt approver { kind name } }
  }
`);
const Accept = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { id status } }
`);

type Offer = ResultOf<typeof Look>['readInvitation'];

/** The page of an invitation link: who invites, to which role, and the answer. */
export default function InvitationScreen() {
  return (
    <MailedLink title="Invitation" query={Look} invalid={invalid}>
      {({ readInvitation }, token) => <Answer offer={readInvitation} token={token} />}
    </MailedLink>
  );
}

const invalid = (
  <Empty
    small
    icon={<IconLinkOff />}
    title="This link is no longer valid"
    action={
      <ButtonLink to="/sign-in" variant="default">
        Sign in
      </ButtonLink>
    }
  >
    It may have been used, withdrawn, or be older than seven days. Ask your contact to send another.
  </Empty>
);

function Answer({ offer, token }: { offer: Offer; token: string }) {
  const [accepted, setAccepted] = useState(false);
  const { needsPassword } = offer;
  const times = timesIn(deviceZone());
  const action = useActionForm(Accept, {
    initialValues: { name: offer.name ?? '', password: '' },
    validate: {
      name: (value) => (!needsPassword || value.trim() ? null : 'Enter your name.'),
      password: (value) => (needsPassword ? passwordFault(value) : null),
    },
    input: ({ name, password }) => (needsPassword ? { token, password, name: name.trim() } : { token }),
    onDone: () => setAccepted(true),
  });
  if (accepted) {
    return (
      <EntryFrame title="Welcome" center={offer.centerDomain}>
        <Empty
          small
          icon={<IconCircleCheck />}
          title="You have accepted"
          action={
            <ButtonLink to="/sign-in" search={{ center: offer.centerDomain }}>
              Sign in
            </ButtonLink>
          }
        >
          {approverLabel(offer.approver)} approves your membership. You get an email when that is done.
        </Empty>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title={`Join ${offer.centerName}`}
      center={offer.centerDomain}
      intro={`You are invited as ${roleNames(offer.centerVertical).oneInText(offer.role)}${offer.email ? `, with ${offer.email}` : ''}. The invitation is valid until ${times.toTheMinute(offer.expiresAt)} (${zoneLabel(times.zone)}).`}
    >
      <ActionForm {...action} verb="Accept invitation" button={{ size: 'md' }}>
        <Text>{approverLabel(offer.approver)} approves your membership after you accept.</Text>
        {needsPassword && (
          <>
            <TextInput label="Your name" autoComplete="name" size="md" {...action.field('name')} />
            <NewPassword label="Choose a password" size="md" {...action.field('password')} />
          </>
        )}
      </ActionForm>
    </EntryFrame>
  );
}
