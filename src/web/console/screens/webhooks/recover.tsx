import { Button, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAct } from '../../graphql/use-act.ts';
import { count } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { RecoverSince } from './endpoint.ts';

const localNow = (hoursAgo: number) => {
  const date = new Date(Date.now() - hoursAgo * 3_600_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** Sends again what an endpoint has missed while it was away. */
export function Recover({ webhookId }: { webhookId: string }) {
  const [opened, { open, close }] = useDisclosure();
  const [since, setSince] = useState(() => localNow(24));
  const [scope, setScope] = useState<'FAILED' | 'ALL'>('FAILED');
  const act = useAct(RecoverSince, { quiet: true });
  const run = async () => {
    let queued = 0;
    let until: string | undefined;
    for (;;) {
      const done = await act.run({
        input: { webhookId, scope, since: new Date(since).toISOString(), until },
      });
      if (!done) return;
      queued += done.recoverWebhook.queued;
      until = done.recoverWebhook.until;
      if (!done.recoverWebhook.hasMore) break;
    }
    notifications.show({ color: 'green', message: `${count(queued, 'delivery', 'deliveries')} sent again.` });
    close();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Recover since…
      </Button>
      <Modal opened={opened} onClose={close} title="Redeliver missed events">
        <Stack>
          <FailureNote failure={act.failure} />
          <TextInput
            type="datetime-local"
            label="Since"
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
          />
          <Radio.Group label="What" value={scope} onChange={(value) => setScope(value as 'FAILED')}>
            <Stack gap={8} mt={6}>
              <Radio value="FAILED" label="Failed deliveries" />
              <Radio value="ALL" label="All deliveries" />
            </Stack>
          </Radio.Group>
          <Button loading={act.busy} disabled={!since} onClick={() => void run()}>
            Redeliver
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
