import { Button, Group, Kbd, Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCheck, IconFingerprint, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { TextLink } from '../../ui/link.tsx';
import classes from './decide.module.css';
import { HowToApprove, type Request } from './requests.ts';
import { useDecide } from './use-decide.ts';

/** Letters typed into an open menu or dialog are meant for it. */
const isFree = () => !document.querySelector('[role="dialog"], [role="menu"]');

/** Yes or no, with a reason. */
export function Decide({ request, onDecided }: { request: Request; onDecided: () => void }) {
  const { me } = useSession();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const act = useDecide(request.id);
  const how = useRead(HowToApprove, {
    actionType: request.action.type,
    isAdmin: me.role === 'ADMIN',
  });
  const openSeats = request.seats.filter((seat) => seat.open);
  const mustSign =
    how.data?.effectivePolicy?.guards.approverAuthentication === 'SIGNED' ||
    (openSeats.length > 0 && openSeats.every(({ authentication }) => authentication === 'SIGNED'));
  const canSign = (how.data?.passkeys.length ?? 0) > 0;
  const open = request.status === 'recorded' || request.status === 'approved';
  const mine = request.approvals.some(({ approver }) => approver.id === me.actorId);
  const decide = async (result: 'approved' | 'rejected', sign = false) => {
    if (!open || act.busy) return;
    // Whoever stops something owes a word to those who wait for it.
    if (result === 'rejected' && !reason.trim()) {
      setMissing(true);
      field.current?.focus();
      return;
    }
    const signed = result === 'approved' && (sign || mustSign);
    const done = await act.decide({ result, reason: reason.trim() || undefined, signed });
    if (done) onDecided();
  };
  useHotkeys([
    ['a', () => isFree() && void decide('approved')],
    ['r', () => isFree() && field.current?.focus()],
  ]);
  if (!open) return null;
  if (mine) {
    return (
      <p className={classes.waiting}>
        {openSeats.length > 0
          ? 'You have approved this. It is sealed once the open seats are filled.'
          : 'You have approved this. It is sealed once another person has, too.'}
      </p>
    );
  }
  return (
    <div className={classes.decide}>
      <FailureNote failure={act.failure} />
      {mustSign && !canSign && how.data && (
        <p className={classes.waiting}>
          The policy asks for a signature with a passkey, and you have none.{' '}
          <TextLink to="/me">Add a passkey to your account</TextLink>, then come back. You can reject it
          without one.
        </p>
      )}
      <Textarea
        ref={field}
        label="Reason"
        description="Kept with the decision. Needed to reject."
        autosize
        minRows={2}
        maxRows={6}
        maxLength={10_000}
        value={reason}
        error={missing && !reason.trim() ? 'Say why you reject it.' : null}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <Group gap={10}>
        <Button
          leftSection={mustSign ? <IconFingerprint size={16} /> : <IconCheck size={16} />}
          disabled={mustSign && !canSign}
          loading={act.busy}
          onClick={() => void decide('approved')}
        >
          {mustSign ? 'Sign and approve' : 'Approve'}
        </Button>
        {canSign && !mustSign && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={16} />}
            disabled={act.busy}
            onClick={() => void decide('approved', true)}
          >
            Sign and approve
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconX size={16} />}
          disabled={act.busy}
          onClick={() => void decide('rejected')}
        >
          Reject
        </Button>
        <span className={classes.keys}>
          <Kbd size="xs">a</Kbd> approves, <Kbd size="xs">r</Kbd> goes to the reason
        </span>
      </Group>
    </div>
  );
}
