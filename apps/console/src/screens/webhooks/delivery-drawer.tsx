import { Button, Drawer, Stack } from '@mantine/core';
import { memo } from 'react';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import type { Read } from '../../graphql/use-read.ts';
import { duration } from '../../text/time.ts';
import { Facts } from '../../ui/facts.tsx';
import { JsonText } from '../../ui/json.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ExactTime } from '../../ui/time.tsx';
import classes from './delivery-drawer.module.css';
import { type Delivery, type OneDelivery, ResendEvent } from './endpoint.ts';

interface DeliveryDrawerProps {
  /** The data of the open delivery, or null. */
  of: Read<ResultOf<typeof OneDelivery>> | null;
  onClose: () => void;
  onDone: () => void;
}

/** One delivery, on whichever page of the list it is. The closed drawer does not render with the list. */
export const DeliveryDrawer = memo(function DeliveryDrawer({
  of: read,
  onClose,
  onDone,
}: DeliveryDrawerProps) {
  return (
    <Drawer
      opened={read !== null}
      onClose={onClose}
      position="right"
      size="lg"
      title={read?.data?.webhookDelivery.eventType ?? 'Delivery'}
    >
      {read && (
        <Loaded of={read} small>
          {({ webhookDelivery }) => <Sent of={webhookDelivery} onDone={onDone} />}
        </Loaded>
      )}
    </Drawer>
  );
});

/** The request and the response of each attempt. */
function Sent({ of: delivery, onDone }: { of: Delivery; onDone: () => void }) {
  const resend = useAction(ResendEvent, { done: 'Redelivery queued.' });
  return (
    <Stack>
      <Facts
        of={{
          Event: <span className="mono">{delivery.eventId}</span>,
          Delivered: delivery.deliveredAt && <ExactTime at={delivery.deliveredAt} />,
          'Next attempt': delivery.nextRetryAt && <ExactTime at={delivery.nextRetryAt} />,
        }}
      />
      <div>
        <Button
          size="xs"
          variant="default"
          loading={resend.busy}
          onClick={() => void resend.run({ input: { eventId: delivery.eventId } }).then(onDone)}
        >
          Redeliver
        </Button>
      </div>
      <h3 className={classes.sub}>Request</h3>
      <JsonText value={delivery.payload} label="Request" />
      <h3 className={classes.sub}>Attempts</h3>
      <ol className={classes.attempts}>
        {delivery.attemptLog.map(({ number, startedAt, durationMs, responseStatus, responseBody, error }) => (
          <li key={number}>
            <p>
              <strong>Attempt {number}</strong>{' '}
              <Pill tone={responseStatus !== null && responseStatus < 300 ? 'good' : 'bad'}>
                {responseStatus ?? 'No answer'}
              </Pill>
            </p>
            <p className={classes.at}>
              <ExactTime at={startedAt} />, after {duration(durationMs)}
            </p>
            {error && <p className={classes.error}>{error}</p>}
            {responseBody && <pre className={classes.body}>{responseBody}</pre>}
          </li>
        ))}
      </ol>
    </Stack>
  );
}
