import { Button, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { count } from '../../text/labels.ts';
import { momentIn, wallTimeIn } from '../../text/time.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { RecoverSince } from './endpoint.ts';

const DAY_MS = 86_400_000;

/** Redelivers what an endpoint missed during an outage. */
export function Recover({ webhookId }: { webhookId: string }) {
  const [opened, { open, close }] = useDisclosure();
  const { zone } = useTimes();
  const [dayAgo] = useState(() => wallTimeIn(zone, new Date(Date.now() - DAY_MS)));
  const form = useForm({ initialValues: { since: dayAgo, scope: 'FAILED' as 'FAILED' | 'ALL' } });
  const { since, scope } = form.values;
  const act = useAction(RecoverSince, { quiet: true });
  const run = async () => {
    let queued = 0;
    let until: string | undefined;
    for (;;) {
      const done = await act.run({ input: { webhookId, scope, since: momentIn(zone, since), until } });
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
        <ActionForm act={act} verb="Redeliver" disabled={!since} onSubmit={() => void run()}>
          <TextInput type="datetime-local" label="Since" {...form.getInputProps('since')} />
          <Radio.Group label="What" {...form.getInputProps('scope')}>
            <Stack gap={8} mt={6}>
              <Radio value="FAILED" label="Failed deliveries" />
              <Radio value="ALL" label="All deliveries" />
            </Stack>
          </Radio.Group>
        </ActionForm>
      </Modal>
    </>
  );
}
