import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { money, slugOf } from '../../text/format.ts';
import { type DialogProps, FormDialog, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { CreateCenter } from '../centers/managed-center.ts';
import {
  NewCenterFields,
  newCenter,
  newCenterFaults,
  newCenterInput,
} from '../centers/new-center-fields.tsx';

const Choices = graphql(`
  query NewCenterChoices($search: String) {
    plans(kind: CENTER) { id name vertical priceMonthly currency }
    partners(first: 20, search: $search) { edges { node { id name } } }
  }
`);

/** The operator creates a center, with or without a partner, and invites its first administrator. */
export function NewCenterDialog(dialog: DialogProps) {
  const [typed, setTyped] = useState(false);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search, 200);
  const { data } = useRead(Choices, { search: asked }, { pause: !dialog.opened });
  const action = useActionForm(CreateCenter, {
    done: 'Created. Its administrator is invited by email.',
    initialValues: { ...newCenter(), domain: '', planId: '', partnerId: null as string | null },
    validate: {
      ...newCenterFaults,
      domain: filled('Enter an address for the center.'),
      planId: filled('Choose a plan.'),
    },
    input: ({ domain, planId, partnerId, ...center }) => ({
      ...newCenterInput(center),
      domain,
      planId,
      partnerId,
    }),
    onDone: () => setTyped(false),
  });
  const { form, field } = action;
  const { vertical, tenantType, partnerId } = form.values;
  const fitting = (data?.plans ?? []).filter((plan) => plan.vertical === null || plan.vertical === vertical);
  return (
    <FormDialog {...dialog} {...action} draft="platform-center" title="New center" verb="Create center">
      <TextInput
        label="Name of the center"
        data-autofocus
        {...field('name')}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('name', value);
          if (!typed) form.setFieldValue('domain', slugOf(value));
        }}
      />
      <TextInput
        label="Address"
        description="Used in links and in the API. It cannot be changed later."
        {...field('domain')}
        onChange={({ currentTarget: { value } }) => {
          setTyped(true);
          form.setFieldValue('domain', value.toLowerCase());
        }}
      />
      <NewCenterFields
        field={field}
        tenantType={tenantType}
        approver={partnerId ? 'the partner approves them' : 'you approve them here'}
      />
      <Select
        label="Plan"
        placeholder="Choose"
        description="The first days are a trial."
        data={fitting.map(({ id, name, priceMonthly, currency }) => ({
          value: id,
          label: `${name}, ${money(priceMonthly, currency)} a month`,
        }))}
        {...field('planId')}
      />
      <Select
        label="Partner"
        placeholder="None"
        description="The organization that manages the center and approves its administrators."
        searchable
        clearable
        nothingFoundMessage="No matching partner"
        onSearchChange={setSearch}
        data={(data?.partners.edges ?? []).map(({ node: { id, name } }) => ({ value: id, label: name }))}
        {...field('partnerId')}
      />
    </FormDialog>
  );
}
