import { Button, Group, Kbd, Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useSession } from '../../app/session-context.ts';
import { useAct } from '../../graphql/use-act.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import classes from './decide.module.css';
import { Approve, type Request } from './requests.ts';

/** Yes or no, with a reason. */
export function Decide({ request, onDecided }: { request: Request; onDecided: () => void }) {
  const { me } = useSession();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const act = useAct(Approve, { quiet: true, done: 'Decided, with your name under it.' });
  const open = request.status === 'recorded' || request.status === 'approved';
  const mine = request.approvals.some(({ approver }) => approver.id === me.actorId);
  const decide = async (result: 'approved' | 'rejected') => {
    if (!open || act.busy) return;
    // Whoever stops something owes a word to those who wait for it.
    if (result === 'rejected' && !reason.trim()) {
      setMissing(true);
      field.current?.focus();
      return;
    }
    const done = await act.run({
      input: { eventId: request.id, result, reason: reason.trim() || undefined },
    });
    if (done) onDecided();
  };
  useHotkeys([
    ['a', () => void decide('approved')],
    ['r', () => field.current?.focus()],
  ]);
  if (!open) return null;
  if (mine) {
    return (
      <p className={classes.waiting}>You have approved this. It is sealed once another person has, too.</p>
    );
  }
  return (
    <div className={classes.decide}>
      <FailureNote failure={act.failure} />
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
          leftSection={<IconCheck size={16} />}
          loading={act.busy}
          onClick={() => void decide('approved')}
        >
          Approve
        </Button>
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
