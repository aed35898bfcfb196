import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { money, slugOf } from '../../text/format.ts';
import { verticalLabels } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, isEmail } from '../../ui/form-dialog.tsx';

const Plans = graphql(`
  query PlansToBegin { plans(kind: CENTER) { id name vertical priceMonthly currency } }
`);
const Onboard = graphql(`
  mutation OnboardPartner($input: OnboardPartnerInput!) {
    onboardPartner(input: $input) { partner { id name } }
  }
`);

type Vertical = VariablesOf<typeof Onboard>['input']['vertical'];

/** A new partner starts with one center and one administrator of both. */
export function OnboardPartner(dialog: DialogProps) {
  const plans = useRead(Plans, {}, { pause: !dialog.opened });
  const act = useAction(Onboard, {
    quiet: true,
    done: 'Partner created. Its administrator is invited by email; approve them under Centers after they accept.',
  });
  const [typed, setTyped] = useState(false);
  const form = useForm({
    initialValues: {
      partnerName: '',
      centerName: '',
      subdomain: '',
      vertical: '',
      planId: '',
      adminName: '',
      adminEmail: '',
    },
    validate: {
      partnerName: filled('Enter the name of the partner.'),
      centerName: filled('Enter the name of the first center.'),
      subdomain: filled('Enter a domain for the center.'),
      vertical: filled('Choose a vertical.'),
      planId: filled('Choose a plan.'),
      adminName: filled('Enter a name.'),
      adminEmail: isEmail,
    },
  });
  const { vertical } = form.values;
  const fitting = (plans.data?.plans ?? []).filter(
    (plan) => plan.vertical === null || plan.vertical === vertical,
  );
  const save = async (values: typeof form.values) => {
    const done = await act.run({ input: { ...values, vertical: values.vertical as Vertical } });
    if (done) setTyped(false);
    return done;
  };
  return (
    <FormDialog {...dialog} title="Add partner" form={form} act={act} save={save} verb="Add partner">
      <TextInput label="Name of the partner" data-autofocus {...form.getInputProps('partnerName')} />
      <TextInput
        label="Name of the first center"
        {...form.getInputProps('centerName')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('centerName', value);
          if (!typed) form.setFieldValue('subdomain', slugOf(value));
        }}
      />
      <TextInput
        label="Domain of the center"
        {...form.getInputProps('subdomain')}
        onChange={({ currentTarget: { value } }) => {
          setTyped(true);
          form.setFieldValue('subdomain', value.toLowerCase());
        }}
      />
      <Select
        label="Vertical"
        placeholder="Choose"
        data={choicesOf(verticalLabels)}
        {...form.getInputProps('vertical')}
      />
      <Select
        label="Plan"
        placeholder="Choose"
        data={fitting.map(({ id, name, priceMonthly, currency }) => ({
          value: id,
          label: `${name}, ${money(priceMonthly, currency)} a month`,
        }))}
        {...form.getInputProps('planId')}
      />
      <TextInput label="Name of the administrator" {...form.getInputProps('adminName')} />
      <TextInput label="Their email" {...form.getInputProps('adminEmail')} />
    </FormDialog>
  );
}
