import { Button, Group, Modal, Progress, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type Client, useClient } from 'urql';
import { useDraft } from '../../browser/use-draft.ts';
import { type Failure, failureMessage } from '../../graphql/failure.ts';
import { passkeyProblem } from '../../graphql/passkey-failure.ts';
import { useSession } from '../../session/session-context.ts';
import { count, headlineOf } from '../../text/labels.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import classes from './decide-together.module.css';
import { wasOpened } from './opened.ts';
import { HowToApprove, type Waiting } from './requests.ts';
import { sendAnswer } from './use-decide.ts';

interface DecideTogetherProps {
  chosen: Waiting[];
  /** Shows two of them side by side. */
  onCompare: (ids: readonly [string, string]) => void;
  onDone: () => void;
}

/** The guards by action type, as far as bulk decisions depend on them. */
async function rulesFor(client: Client, chosen: Waiting[], isAdmin: boolean) {
  const types = [...new Set(chosen.map(({ action }) => action.type))];
  const rules = await Promise.all(
    types.map(async (actionType) => {
      const { data } = await client.query(HowToApprove, { actionType, isAdmin }).toPromise();
      return [actionType, data] as const;
    }),
  );
  return new Map(rules);
}

type Rules = Awaited<ReturnType<typeof rulesFor>>;

/** A request above the risk threshold, or of unknown risk or rule, must have been opened before it is approved. */
function mustBeOpened({ id, riskScore, action }: Waiting, rules: Rules): boolean {
  if (wasOpened(id)) return false;
  const rule = rules.get(action.type);
  const threshold = rule?.effectivePolicy?.guards.riskThreshold;
  if (!rule?.effectivePolicy || riskScore === null) return true;
  return threshold != null && riskScore > threshold;
}

/** Decides several requests at once. Each is sealed separately, so one that fails does not stop the others. */
export function DecideTogether({ chosen, onCompare, onDone }: DecideTogetherProps) {
  const client = useClient();
  const { me } = useSession();
  const [asked, setAsked] = useState<'approved' | 'rejected' | null>(null);
  const [rules, setRules] = useState<Rules>(new Map());
  const [reason, setReason, clearReason, restored] = useDraft('reason for several', '');
  const [unreachable, setUnreachable] = useState<Failure>();
  const [done, setDone] = useState<number | null>(null);
  const unopened = asked === 'approved' ? chosen.filter((each) => mustBeOpened(each, rules)) : [];
  const included = chosen.filter((each) => !unopened.includes(each));
  const mustSign = ({ action }: Waiting) =>
    rules.get(action.type)?.effectivePolicy?.guards.approverAuthentication === 'SIGNED';
  const signatures = asked === 'approved' ? included.filter(mustSign).length : 0;
  const ask = async (result: 'approved' | 'rejected') => {
    setUnreachable(undefined);
    setRules(await rulesFor(client, chosen, me.role === 'ADMIN'));
    setAsked(result);
  };
  const run = async () => {
    if (!asked) return;
    setUnreachable(undefined);
    const failed: string[] = [];
    for (const [i, request] of included.entries()) {
      setDone(i);
      const signed = asked === 'approved' && mustSign(request);
      const answer = { result: asked, reason: reason.trim() || undefined, signed };
      try {
        const failure = await sendAnswer(client, request.id, answer);
        // One message, and the dialog stays with the reason and the rest of the requests.
        if (failure?.code === 'UNREACHABLE') {
          setUnreachable(failure);
          setDone(null);
          return;
        }
        if (failure) failed.push(`${headlineOf(request.action)}: ${failureMessage(failure)}`);
      } catch (error) {
        const failure = passkeyProblem(error);
        failed.push(
          `${headlineOf(request.action)}: ${failure ? failureMessage(failure) : 'You did not sign it.'}`,
        );
      }
    }
    setDone(null);
    setAsked(null);
    clearReason();
    const worked = included.length - failed.length;
    if (worked > 0) notifications.show({ color: 'green', message: `${count(worked, 'request')} ${asked}.` });
    for (const message of failed.slice(0, 3))
      notifications.show({ color: 'red', title: 'Not decided', message });
    onDone();
  };
  return (
    <section className={classes.bar} aria-label="Chosen requests">
      <strong>{chosen.length} chosen</strong>
      <Group gap={8}>
        <Button size="xs" onClick={() => void ask('approved')}>
          Approve all
        </Button>
        <Button size="xs" variant="default" onClick={() => void ask('rejected')}>
          Reject all
        </Button>
        {chosen.length === 2 && (
          <Button size="xs" variant="default" onClick={() => onCompare([chosen[0]!.id, chosen[1]!.id])}>
            Compare
          </Button>
        )}
      </Group>
      <Modal
        opened={asked !== null}
        onClose={() => done === null && setAsked(null)}
        title={`${asked === 'approved' ? 'Approve' : 'Reject'} ${count(included.length, 'request')}`}
      >
        <ActionForm
          act={{ busy: done !== null, failure: unreachable }}
          verb={asked === 'approved' ? 'Approve them' : 'Reject them'}
          disabled={included.length === 0 || (asked === 'rejected' && !reason.trim())}
          onSubmit={() => void run()}
        >
          <Headlines of={included} />
          {unopened.length > 0 && (
            <div className={classes.unopened}>
              <p>Not included, because they are above the risk threshold and you have not opened them:</p>
              <Headlines of={unopened} />
            </div>
          )}
          {signatures > 0 && (
            <p className={classes.note}>
              {count(signatures, 'request')} must be signed: your passkey is asked for once for each.
            </p>
          )}
          <RestoredDraft shown={restored} onDiscard={clearReason} />
          <Textarea
            label="Reason"
            description={
              asked === 'rejected' ? 'The same for all of them. Required to reject.' : 'Applies to all.'
            }
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {done !== null && <Progress value={(done / included.length) * 100} aria-label="Progress" />}
        </ActionForm>
      </Modal>
    </section>
  );
}

const Headlines = ({ of: requests }: { of: Waiting[] }) => (
  <ul className={classes.names}>
    {requests.map(({ id, action }) => (
      <li key={id}>{headlineOf(action)}</li>
    ))}
  </ul>
);
