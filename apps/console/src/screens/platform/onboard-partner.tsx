import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { money, slugOf } from '../../text/format.ts';
import { verticalLabels } from '../../text/labels.ts';
import { deviceZone } from '../../text/time.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { type DialogProps, FormDialog, filled, isEmail, useActionForm } from '../../ui/form-dialog.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';

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
  const [typed, setTyped] = useState(false);
  const action = useActionForm(Onboard, {
    done: 'Partner created. Its administrator is invited by email; approve them under Centers after they accept.',
    initialValues: {
      partnerName: '',
      centerName: '',
      subdomain: '',
      vertical: '',
      planId: '',
      timezone: deviceZone(),
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
    input: (values) => ({ ...values, vertical: values.vertical as Vertical }),
    onDone: () => setTyped(false),
  });
  const { form } = action;
  const fitting = (plans.data?.plans ?? []).filter(
    (plan) => plan.vertical === null || plan.vertical === form.values.vertical,
  );
  return (
    <FormDialog {...dialog} {...action} draft="partner" title="Add partner" verb="Add partner">
      <TextInput label="Name of the partner" data-autofocus {...action.field('partnerName')} />
      <TextInput
        label="Name of the first center"
        {...action.field('centerName')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('centerName', value);
          if (!typed) form.setFieldValue('subdomain', slugOf(value));
        }}
      />
      <TextInput
        label="Domain of the center"
        {...action.field('subdomain')}
        onChange={({ currentTarget: { value } }) => {
          setTyped(true);
          form.setFieldValue('subdomain', value.toLowerCase());
        }}
      />
      <Select
        label="Vertical"
        placeholder="Choose"
        data={choicesOf(verticalLabels)}
        {...action.field('vertical')}
      />
      <Select
        label="Plan"
        placeholder="Choose"
        data={fitting.map(({ id, name, priceMonthly, currency }) => ({
          value: id,
          label: `${name}, ${money(priceMonthly, currency)} a month`,
        }))}
        {...action.field('planId')}
      />
      <ZoneSelect description="That of the center. Yours is preselected." {...action.field('timezone')} />
      <TextInput label="Name of the administrator" {...action.field('adminName')} />
      <TextInput label="Their email" {...action.field('adminEmail')} />
    </FormDialog>
  );
}
