import { NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { money, smallestUnits } from '../../text/format.ts';
import { stateOf, subscriptionStates } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled } from '../../ui/form-dialog.tsx';
import { PartnerCenters } from './centers-list.ts';

const Owed = graphql(`
  query Owed($centerId: Int!) {
    subscriptionOf(centerId: $centerId) { status planName plan { priceMonthly currency } }
  }
`);
const Record = graphql(`
  mutation RecordPayment($input: RecordPaymentInput!) {
    recordPayment(input: $input) { payment { id } subscription { status } }
  }
`);
const RecordFailure = graphql(`
  mutation RecordPaymentFailure($input: RecordPaymentFailureInput!) {
    recordPaymentFailure(input: $input) { payment { id } subscription { status } }
  }
`);

/** Records a payment that the payment provider did not report. */
export function RecordPayment(dialog: DialogProps) {
  const [words, setWords] = useState('');
  const [search] = useDebouncedValue(words, 250);
  const form = useForm({
    initialValues: {
      centerId: '',
      outcome: 'paid',
      amount: '' as string | number,
      reference: '',
      reason: '',
    },
    validate: {
      centerId: filled('Choose a center.'),
      amount: (value) => (Number(value) > 0 ? null : 'Enter an amount.'),
      reference: filled('Enter the reference of your payment provider.'),
    },
  });
  const { centerId, outcome } = form.values;
  const centers = useRead(
    PartnerCenters,
    { first: 50, search: search || undefined },
    { pause: !dialog.opened },
  );
  const owed = useRead(Owed, { centerId: Number(centerId) }, { pause: !centerId });
  const paid = useAction(Record, { quiet: true, done: 'Recorded.' });
  const failed = useAction(RecordFailure, { quiet: true, done: 'Recorded.' });
  const subscription = centerId ? owed.data?.subscriptionOf : undefined;
  const act = outcome === 'paid' ? paid : failed;
  const save = ({ amount, reference, reason }: typeof form.values) => {
    const input = {
      centerId: Number(centerId),
      reference: reference.trim(),
      amount: smallestUnits(Number(amount), subscription?.plan.currency ?? 'EUR'),
    };
    return outcome === 'paid'
      ? paid.run({ input })
      : failed.run({ input: { ...input, reason: reason.trim() || undefined } });
  };
  return (
    <FormDialog {...dialog} title="Record payment" form={form} act={act} save={save} verb="Save payment">
      <Select
        label="Center"
        searchable
        data={(centers.data?.partnerCenters.edges ?? []).map(({ node }) => ({
          value: String(node.id),
          label: node.name,
        }))}
        onSearchChange={setWords}
        nothingFoundMessage="No matching center"
        description={
          subscription &&
          `${subscription.planName}, ${money(subscription.plan.priceMonthly, subscription.plan.currency)} a month: ${stateOf(
            subscriptionStates,
            subscription.status,
          )[0].toLowerCase()}`
        }
        {...form.getInputProps('centerId')}
      />
      <SegmentedControl
        aria-label="Result"
        data={choicesOf({ paid: 'Succeeded', failed: 'Failed' })}
        {...form.getInputProps('outcome')}
      />
      <NumberInput
        label={`Amount in ${subscription?.plan.currency ?? 'EUR'}`}
        min={0}
        decimalScale={2}
        hideControls
        {...form.getInputProps('amount')}
      />
      <TextInput
        label="Reference"
        description="The reference of your payment provider. Each is recorded once."
        {...form.getInputProps('reference')}
      />
      {outcome === 'failed' && <TextInput label="Failure reason" {...form.getInputProps('reason')} />}
    </FormDialog>
  );
}
