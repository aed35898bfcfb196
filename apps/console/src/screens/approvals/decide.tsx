import { Button, Group, Kbd, Textarea } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconCheck, IconFingerprint, IconX } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useBottomBar } from '../../browser/use-bottom-bar.ts';
import { useDraft } from '../../browser/use-draft.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import classes from './decide.module.css';
import { reasonDraft, undoDecision, useDecisionsMade, useSendFailure } from './decisions-made.tsx';
import { HowToApprove, type Request } from './requests.ts';
import { useDecide } from './use-decide.ts';

/** Letters typed into an open menu or dialog belong to it. */
const isFree = () => !document.querySelector('[role="dialog"], [role="menu"]');

interface DecideProps {
  request: Request;
  /** Whether the arguments were on screen. The buttons are disabled until then. */
  seen: boolean;
}

/** Approve or reject, with a reason. Afterwards the box keeps its size, so that nothing moves under the pointer. */
export function Decide({ request, seen }: DecideProps) {
  const { me } = useSession();
  const [reason, setReason, clearReason, restored] = useDraft(reasonDraft(request.id), '');
  const [missing, setMissing] = useState(false);
  const [height, setHeight] = useState<number>();
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false;
  const act = useDecide(request);
  const sendFailure = useSendFailure(request.id);
  const made = useDecisionsMade().get(request.id);
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
  const blocked = !seen || !how.data || act.busy;
  const decide = async (result: 'approved' | 'rejected', sign = false) => {
    if (!open || blocked || made || mine) return;
    // Without a reason, the requester would not know what to change.
    if (result === 'rejected' && !reason.trim()) {
      setMissing(true);
      field.current?.focus();
      return;
    }
    const signed = result === 'approved' && (sign || mustSign);
    if (signed && !canSign) return;
    // On a narrow screen the form is not part of the page.
    if (!narrow) setHeight(box.current?.offsetHeight);
    await act.decide({ result, reason: reason.trim() || undefined, signed });
  };
  useHotkeys([
    ['a', () => isFree() && void decide('approved')],
    ['r', () => isFree() && field.current?.focus()],
  ]);
  const waitsFor =
    openSeats.length > 0
      ? 'You approved this request. It is sealed once the open seats are filled.'
      : 'You approved this request. It is sealed once another person approves it too.';
  const isDecided = made !== undefined || mine || !open;
  useBottomBar(box, !isDecided);
  if (isDecided) {
    return (
      <div className={classes.decided} style={{ minHeight: height }}>
        {made?.phase === 'held' ? (
          <>
            <p>
              You {made.result} this request. It is sent in a few seconds. Leaving the page sends it at once.
            </p>
            <Button variant="default" size="xs" onClick={() => undoDecision(request.id)}>
              Undo
            </Button>
          </>
        ) : made?.phase === 'sending' ? (
          <p>Sending your decision…</p>
        ) : made ? (
          <p role="status">
            {request.status === 'approved' && made.result === 'approved'
              ? waitsFor
              : `You ${made.result} this request.`}
          </p>
        ) : mine && open ? (
          <p>{waitsFor}</p>
        ) : (
          <p>You made no decision about this request.</p>
        )}
      </div>
    );
  }
  return (
    <>
      <p className={classes.elsewhere}>Approve or reject at the bottom of the screen.</p>
      <div className={classes.decide} ref={box}>
        <FailureNote failure={act.failure ?? sendFailure} />
        <RestoredDraft shown={restored} onDiscard={clearReason} />
        {mustSign && !canSign && how.data && (
          <p className={classes.waiting}>
            The policy requires a signature with a passkey, and you have none.{' '}
            <TextLink to="/me">Add a passkey to your account</TextLink>, then come back. You can reject it
            without one.
          </p>
        )}
        <Textarea
          ref={field}
          label="Reason"
          classNames={{ label: classes.label! }}
          {...(narrow
            ? { placeholder: 'Reason, required to reject', minRows: 1, maxRows: 4 }
            : { description: 'Kept with the decision. Required to reject.', minRows: 2, maxRows: 6 })}
          autosize
          maxLength={10_000}
          value={reason}
          error={missing && !reason.trim() ? 'Enter a reason to reject the request.' : null}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Group gap={10} className={classes.buttons!}>
          <Button
            leftSection={mustSign ? <IconFingerprint size={16} /> : <IconCheck size={16} />}
            disabled={blocked || (mustSign && !canSign)}
            loading={act.busy}
            onClick={() => void decide('approved')}
          >
            {mustSign ? 'Sign and approve' : 'Approve'}
          </Button>
          {canSign && !mustSign && (
            <Button
              variant="default"
              leftSection={<IconFingerprint size={16} />}
              disabled={blocked}
              onClick={() => void decide('approved', true)}
            >
              Sign and approve
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconX size={16} />}
            disabled={blocked}
            onClick={() => void decide('rejected')}
          >
            Reject
          </Button>
          {!seen && <span className={classes.unseen}>Scroll through the arguments first.</span>}
          <span className={classes.keys}>
            <Kbd size="xs">a</Kbd> approves, <Kbd size="xs">r</Kbd> goes to the reason
          </span>
        </Group>
      </div>
    </>
  );
}
