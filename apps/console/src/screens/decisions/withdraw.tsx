import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';

const Withdraw = graphql(`
  mutation WithdrawDecision($eventId: ID!) { withdrawDecision(eventId: $eventId) { id status } }
`);

interface WithdrawProps {
  decision: { id: string; status: string };
  onDone: () => void;
}

/** Withdraws a request that is not decided yet. */
export function WithdrawRequest({ decision, onDone }: WithdrawProps) {
  const act = useAction(Withdraw, { done: 'The request was withdrawn.' });
  if (decision.status !== 'recorded' && decision.status !== 'approved') return null;
  const ask = () =>
    modals.openConfirmModal({
      title: 'Withdraw this request?',
      children: 'It is rejected as withdrawn and can no longer be approved. The agent learns about it.',
      labels: { confirm: 'Withdraw', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void act.run({ eventId: decision.id }).then(onDone),
    });
  return (
    <Button variant="default" loading={act.busy} onClick={ask}>
      Withdraw request
    </Button>
  );
}
