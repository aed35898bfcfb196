import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import type { ResultOf } from 'gql.tada';
import { useEffect, useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { approverLabel } from '../../text/approver.ts';
import { roleNames } from '../../text/roles.ts';
import { zoneLabel } from '../../text/schedule.ts';
import { deviceZone, timesIn } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Empty, Lines, Problem } from '../../ui/states.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { mailedToken } from './mailed-token.ts';
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
export function InvitationScreen() {
  const look = useAction(Look, { quiet: true });
  const [offer, setOffer] = useState<Offer>();
  const [accepted, setAccepted] = useState(false);
  const { run } = look;
  useEffect(() => {
    if (mailedToken)
      void run({ input: { token: mailedToken } }).then((done) => done && setOffer(done.readInvitation));
  }, [run]);
  if (!mailedToken || look.failure) {
    return (
      <EntryFrame title="Invitation">
        {look.failure && look.failure.code !== 'UNAUTHORIZED' && look.failure.code !== 'NOT_FOUND' ? (
          <Problem small failure={look.failure} />
        ) : (
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
        )}
      </EntryFrame>
    );
  }
  if (!offer) {
    return (
      <EntryFrame title="Invitation">
        <Lines count={3} />
      </EntryFrame>
    );
  }
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
  return <Answer offer={offer} token={mailedToken} onAccepted={() => setAccepted(true)} />;
}

function Answer({ offer, token, onAccepted }: { offer: Offer; token: string; onAccepted: () => void }) {
  const act = useAction(Accept, { quiet: true });
  const { needsPassword } = offer;
  const times = timesIn(deviceZone());
  const form = useForm({
    initialValues: { name: offer.name ?? '', password: '' },
    validate: {
      name: (value) => (!needsPassword || value.trim() ? null : 'Enter your name.'),
      password: (value) => (needsPassword ? passwordFault(value) : null),
    },
  });
  const submit = form.onSubmit(async ({ name, password }) => {
    const input = needsPassword ? { token, password, name: name.trim() } : { token };
    if (await act.run({ input })) onAccepted();
  });
  return (
    <EntryFrame
      title={`Join ${offer.centerName}`}
      center={offer.centerDomain}
      intro={`You are invited as ${roleNames(offer.centerVertical).oneInText(offer.role)}${offer.email ? `, with ${offer.email}` : ''}. The invitation is valid until ${times.toTheMinute(offer.expiresAt)} (${zoneLabel(times.zone)}).`}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <Text>{approverLabel(offer.approver)} approves your membership after you accept.</Text>
          {needsPassword && (
            <>
              <TextInput label="Your name" autoComplete="name" size="md" {...form.getInputProps('name')} />
              <NewPassword label="Choose a password" size="md" {...form.getInputProps('password')} />
            </>
          )}
          <Button type="submit" size="md" loading={act.busy}>
            Accept invitation
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
