import { Button, Group, Modal, Progress, Stack, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { failureOf, inWords } from '../../graphql/failure.ts';
import { count, headlineOf } from '../../text/labels.ts';
import classes from './decide-together.module.css';
import { Approve, type Waiting } from './requests.ts';

interface DecideTogetherProps {
  chosen: Waiting[];
  onDone: () => void;
}

/** Several requests with one answer. Each is decided and sealed by itself: one that cannot be does not stop the rest. */
export function DecideTogether({ chosen, onDone }: DecideTogetherProps) {
  const client = useClient();
  const [asked, setAsked] = useState<'approved' | 'rejected' | null>(null);
  const [reason, setReason] = useState('');
  const [done, setDone] = useState<number | null>(null);
  const run = async () => {
    if (!asked) return;
    const failed: string[] = [];
    for (const [i, { id, action }] of chosen.entries()) {
      setDone(i);
      const input = { result: asked, reason: reason.trim() || undefined };
      const { error } = await client.mutation(Approve, { input: { eventId: id, ...input } }).toPromise();
      const failure = failureOf(error);
      if (failure) failed.push(`${headlineOf(action)}: ${inWords(failure)}`);
    }
    setDone(null);
    setAsked(null);
    setReason('');
    const worked = chosen.length - failed.length;
    if (worked > 0) notifications.show({ color: 'green', message: `${count(worked, 'request')} ${asked}.` });
    for (const message of failed.slice(0, 3))
      notifications.show({ color: 'red', title: 'Left open', message });
    onDone();
  };
  return (
    <section className={classes.bar} aria-label="Chosen requests">
      <strong>{chosen.length} chosen</strong>
      <Group gap={8}>
        <Button size="xs" onClick={() => setAsked('approved')}>
          Approve all
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsked('rejected')}>
          Reject all
        </Button>
      </Group>
      <Modal
        opened={asked !== null}
        onClose={() => done === null && setAsked(null)}
        title={`${asked === 'approved' ? 'Approve' : 'Reject'} ${count(chosen.length, 'request')}`}
      >
        <Stack>
          <ul className={classes.names}>
            {chosen.map(({ id, action }) => (
              <li key={id}>{headlineOf(action)}</li>
            ))}
          </ul>
          <Textarea
            label="Reason"
            description={
              asked === 'rejected'
                ? 'The same for all of them. Needed to reject.'
                : 'The same for all of them.'
            }
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {done !== null && <Progress value={(done / chosen.length) * 100} aria-label="Progress" />}
          <Button
            onClick={() => void run()}
            loading={done !== null}
            disabled={asked === 'rejected' && !reason.trim()}
          >
            {asked === 'approved' ? 'Approve them' : 'Reject them'}
          </Button>
        </Stack>
      </Modal>
    </section>
  );
}
