import {
  Button,
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { countryChoices } from '../../text/countries.ts';
import { authenticationLabels, levelLabels, scopeLabels } from '../../text/policies.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { type CreateInput, CreatePolicy, type Policy, UpdatePolicy } from './policy.ts';
import classes from './policy-form.module.css';
import { QuorumField, quorumGuards, quorumValueOf } from './quorum-field.tsx';

interface PolicyFormProps {
  /** The policy to change; none for a new one. */
  of: Policy | null;
  opened: boolean;
  mayGoWider: boolean;
  onClose: () => void;
  onDone: () => void;
}

const three = [
  { value: '', label: 'Inherited' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const fromBoolean = (value: boolean | null | undefined) => (value == null ? '' : value ? 'yes' : 'no');
const toBoolean = (value: string) => (value === '' ? undefined : value === 'yes');

function valuesOf(known: Policy | null) {
  const guards = known?.guards;
  return {
    name: known?.name ?? '',
    scope: known?.scope ?? 'CENTER',
    country: known?.country ?? '',
    region: known?.region ?? '',
    actionPattern: known?.actionPattern ?? '*',
    active: known?.active ?? true,
    humanReviewForAi: fromBoolean(guards?.humanReviewForAi),
    dualApproval: fromBoolean(guards?.dualApproval),
    riskRequired: fromBoolean(guards?.riskRequired),
    risk: (guards?.riskThreshold == null ? '' : Math.round(guards.riskThreshold * 100)) as number | '',
    minimumEvidenceLevel: guards?.minimumEvidenceLevel ?? '',
    approverAuthentication: guards?.approverAuthentication ?? '',
    passkeyAge: (guards?.passkeyAgeHours ?? '') as number | '',
    quorum: quorumValueOf(guards),
  };
}

export function PolicyForm({ of: known, opened, mayGoWider, onClose, onDone }: PolicyFormProps) {
  const create = useAction(CreatePolicy, { quiet: true, done: 'The policy is active.' });
  const update = useAction(UpdatePolicy, { quiet: true, done: 'Saved as a new version.' });
  const guards = known?.guards;
  const form = useForm({
    initialValues: valuesOf(known),
    validate: {
      name: (value) => (value.trim() ? null : 'Give the policy a name.'),
      quorum: ({ escalateAfterHours, escalateToGroup }) =>
        (escalateAfterHours === '') === (escalateToGroup === null)
          ? null
          : 'Say both after how long and to which group it escalates.',
      actionPattern: (value) => (value.trim() ? null : 'Enter the covered actions; * covers all.'),
    },
  });
  const fill = useEffectEvent(() => {
    form.setInitialValues(valuesOf(known));
    form.reset();
    create.clear();
    update.clear();
  });
  useEffect(() => {
    if (opened) fill();
  }, [opened]);
  const submit = form.onSubmit(async (values) => {
    const asked = {
      humanReviewForAi: toBoolean(values.humanReviewForAi),
      dualApproval: toBoolean(values.dualApproval),
      riskRequired: toBoolean(values.riskRequired),
      riskThreshold: values.risk === '' ? undefined : Number(values.risk) / 100,
      minimumEvidenceLevel: (values.minimumEvidenceLevel ||
        undefined) as CreateInput['guards']['minimumEvidenceLevel'],
      approverAuthentication: (values.approverAuthentication ||
        undefined) as CreateInput['guards']['approverAuthentication'],
      passkeyAgeHours: values.passkeyAge === '' ? undefined : Number(values.passkeyAge),
      ...quorumGuards(values.quorum),
      ...(guards?.enforced.length && { enforced: guards.enforced }),
    };
    const about = { name: values.name.trim(), actionPattern: values.actionPattern.trim(), guards: asked };
    const done = known
      ? await update.run({
          input: { id: known.id, expectedVersion: known.version, active: values.active, ...about },
        })
      : await create.run({
          input: {
            ...about,
            scope: values.scope as CreateInput['scope'],
            ...(values.scope !== 'CENTER' && values.scope !== 'GLOBAL' && { country: values.country }),
            ...(values.scope === 'REGION' && { region: values.region }),
          },
        });
    if (!done) return;
    onClose();
    onDone();
  });
  const choice = (label: string, field: 'humanReviewForAi' | 'dualApproval' | 'riskRequired') => (
    <div className={classes.row}>
      <span id={`policy-${field}`}>{label}</span>
      <SegmentedControl
        size="xs"
        aria-labelledby={`policy-${field}`}
        data={three}
        {...form.getInputProps(field)}
      />
    </div>
  );
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={known ? `${known.name}, version ${known.version}` : 'New policy'}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={create.failure ?? update.failure} />
          <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
          {!known && mayGoWider && (
            <Select
              label="Holds"
              allowDeselect={false}
              data={Object.entries(scopeLabels).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps('scope')}
            />
          )}
          {!known && (form.values.scope === 'COUNTRY' || form.values.scope === 'REGION') && (
            <Group grow>
              <NativeSelect
                label="Country"
                data={[{ value: '', label: 'Choose a country' }, ...countryChoices]}
                {...form.getInputProps('country')}
              />
              {form.values.scope === 'REGION' && (
                <TextInput label="Region" {...form.getInputProps('region')} />
              )}
            </Group>
          )}
          <TextInput
            label="Actions"
            description="An action type, a prefix followed by .*, or * for all."
            placeholder="refund.*"
            {...form.getInputProps('actionPattern')}
          />
          {choice('A person reviews AI decisions', 'humanReviewForAi')}
          {choice('Two approvers', 'dualApproval')}
          {choice('Unrated decisions count as highest risk', 'riskRequired')}
          <NumberInput
            label="Approval required above a risk of"
            description="Leave empty to inherit from wider policies."
            suffix=" %"
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps('risk')}
          />
          <Select
            label="Minimum evidence level"
            clearable
            placeholder="Inherited"
            data={Object.entries(levelLabels).map(([value, label]) => ({ value, label }))}
            value={form.values.minimumEvidenceLevel || null}
            onChange={(value) => form.setFieldValue('minimumEvidenceLevel', (value ?? '') as '')}
          />
          <Select
            label="Approver authentication"
            clearable
            placeholder="Inherited"
            data={Object.entries(authenticationLabels).map(([value, label]) => ({ value, label }))}
            value={form.values.approverAuthentication || null}
            onChange={(value) => form.setFieldValue('approverAuthentication', (value ?? '') as '')}
          />
          <NumberInput
            label="Passkeys registered at least"
            description="A newer passkey does not count as a signature. Left empty, wider policies decide."
            suffix=" hours before"
            min={0}
            max={720}
            allowDecimal={false}
            {...form.getInputProps('passkeyAge')}
          />
          <QuorumField
            value={form.values.quorum}
            mayNameGroups={form.values.scope === 'CENTER'}
            onChange={(quorum) => form.setFieldValue('quorum', quorum)}
          />
          {form.errors['quorum'] && (
            <p className={classes.error} role="alert">
              {form.errors['quorum']}
            </p>
          )}
          {known && (
            <Switch
              label="In force"
              checked={form.values.active}
              onChange={({ currentTarget }) => form.setFieldValue('active', currentTarget.checked)}
            />
          )}
          <Button type="submit" loading={create.busy || update.busy}>
            {known ? 'Save new version' : 'Activate'}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
