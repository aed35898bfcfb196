import { Button } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { invalidateSession } from '../../session/session.ts';
import { useCenter } from '../../session/session-context.ts';
import { zoneLabel } from '../../text/schedule.ts';
import { deviceZone } from '../../text/time.ts';
import { type Command, runCommand } from '../../ui/commands.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';

const ChooseZone = graphql(`
  mutation ChooseZone($input: UpdateCenterInput!) { updateCenter(input: $input) { id settings } }
`);
const RequestPractice = graphql(`mutation RequestPractice { requestPractice { event { id } } }`);

const look = { size: 'xs', variant: 'default' } as const;

/** A link that opens in this tab; with a modifier key it only opens the screen. */
const opening = (command: Command) => ({
  onClick: ({ metaKey, ctrlKey, shiftKey }: MouseEvent) => {
    if (!metaKey && !ctrlKey && !shiftKey) runCommand(command);
  },
});

interface StepLinkProps {
  to: '/c/$center/people' | '/c/$center/policies/new' | '/c/$center/api-keys';
  /** The dialog to open there. */
  command?: Command;
  children: ReactNode;
}

export function StepLink({ to, command, children }: StepLinkProps) {
  const { centerDomain: center } = useCenter();
  return (
    <ButtonLink to={to} params={{ center }} {...look} {...(command && opening(command))}>
      {children}
    </ButtonLink>
  );
}

export function PasskeyStep() {
  return (
    <ButtonLink to="/me" {...look} {...opening('add-passkey')}>
      Add passkey
    </ButtonLink>
  );
}

/** Offers the zone of the device; any other is chosen in the settings. */
export function ZoneStep({ onDone }: { onDone: () => void }) {
  const { centerDomain: center } = useCenter();
  const router = useRouter();
  const zone = deviceZone();
  const choose = useAction(ChooseZone, { done: `All times are in ${zoneLabel(zone)} now.` });
  const submit = async () => {
    if (!(await choose.run({ input: { timezone: zone } }))) return;
    invalidateSession();
    void router.invalidate();
    onDone();
  };
  return (
    <>
      <TextLink to="/c/$center/settings" params={{ center }} style={{ fontSize: 13.5 }}>
        Choose another
      </TextLink>
      <Button {...look} loading={choose.busy} onClick={() => void submit()}>
        Use {zoneLabel(zone)}
      </Button>
    </>
  );
}

interface PracticeStepProps {
  done: boolean;
  /** The practice request that waits, or the newest that was decided. */
  eventId: string | null;
}

export function PracticeStep({ done, eventId }: PracticeStepProps) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const request = useAction(RequestPractice);
  if (done && eventId) {
    return (
      <TextLink to="/c/$center/decisions/$id" params={{ center, id: eventId }} style={{ fontSize: 13.5 }}>
        See its proof
      </TextLink>
    );
  }
  const submit = async () => {
    const made = await request.run({});
    const event = made?.requestPractice.event.id;
    if (event) void navigate({ to: '/c/$center/approvals', params: { center }, search: { event } });
  };
  return (
    <Button {...look} loading={request.busy} onClick={() => void submit()}>
      {eventId ? 'Decide the request' : 'Request approval'}
    </Button>
  );
}
