import { Text, TextInput } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { loadSession } from '../../session/session.ts';
import { approverLabel } from '../../text/approver.ts';
import { roleNames } from '../../text/roles.ts';
import { zoneLabel } from '../../text/schedule.ts';
import { deviceZone, timesIn } from '../../text/time.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Accepted } from './accepted.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { MailedLink } from './mailed-link.tsx';
import { NewPassword, passwordFault } from './new-password.tsx';
import { SignIn } from './sign-in-mutation.ts';

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
  const [accepted, setAccepted] = useState<{ signedIn: boolean | null }>();
  const signIn = useAction(SignIn, { quiet: true });
  const { needsPassword } = offer;
  const times = timesIn(deviceZone());
  const action = useActionForm(Accept, {
    initialValues: { name: offer.name ?? '', password: '' },
    validate: {
      name: (value) => (!needsPassword || value.trim() ? null : 'Enter your name.'),
      password: (value) => (needsPassword ? passwordFault(value) : null),
    },
    input: ({ name, password }) => (needsPassword ? { token, password, name: name.trim() } : { token }),
    onDone: async (_, { password }) => {
      setAccepted({ signedIn: null });
      const { email } = offer;
      const session = await loadSession().catch(() => null);
      // The session of another account stays; without one, the password that was just chosen opens it.
      const opened = !session && email && needsPassword && (await signIn.run({ input: { email, password } }));
      setAccepted({ signedIn: session ? session.me.email === email : Boolean(opened) });
    },
  });
  if (accepted) return <Accepted offer={offer} {...accepted} />;
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
