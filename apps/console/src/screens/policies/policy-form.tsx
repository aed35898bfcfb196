import {
  Group,
  Modal,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { countryChoices } from '../../text/countries.ts';
import { authenticationLabels, levelLabels, scopeLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { ActionForm, type DialogProps, filled } from '../../ui/form-dialog.tsx';
import { CreatePolicy, type Policy, UpdatePolicy } from './policy.ts';
import classes from './policy-form.module.css';
import { QuorumField, type QuorumValue, quorumGuards } from './quorum-field.tsx';

interface PolicyFormProps extends DialogProps {
  /** The policy to change; none for a new one. */
  of: Policy | null;
  mayGoWider: boolean;
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
    scope: known?.scope ?? ('CENTER' as const),
    country: known?.country ?? '',
    region: known?.region ?? '',
    actionPattern: known?.actionPattern ?? '*',
    active: known?.active ?? true,
    humanReviewForAi: fromBoolean(guards?.humanReviewForAi),
    dualApproval: fromBoolean(guards?.dualApproval),
    riskRequired: fromBoolean(guards?.riskRequired),
    risk: (guards?.riskThreshold == null ? '' : Math.round(guards.riskThreshold * 100)) as number | '',
    minimumEvidenceLevel: guards?.minimumEvidenceLevel ?? null,
    approverAuthentication: guards?.approverAuthentication ?? null,
    passkeyAge: (guards?.passkeyAgeHours ?? '') as number | '',
    quorum: (guards ?? {}) as QuorumValue,
  };
}

/** The values are read when the dialog opens. */
export function PolicyForm(props: PolicyFormProps) {
  const { of: known, opened, onClose } = props;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={known ? `${known.name}, version ${known.version}` : 'New policy'}
    >
      <Fields key={known?.id} {...props} />
    </Modal>
  );
}

function Fields({ of: known, mayGoWider, onClose, onDone }: PolicyFormProps) {
  const create = useAction(CreatePolicy, { quiet: true, done: 'The policy is active.' });
  const update = useAction(UpdatePolicy, { quiet: true, done: 'Saved as a new version.' });
  const guards = known?.guards;
  const form = useForm({
    initialValues: valuesOf(known),
    validate: {
      name: filled('Give the policy a name.'),
      quorum: ({ escalateAfterSeconds, escalateToGroup }) =>
        !escalateAfterSeconds === !escalateToGroup
          ? null
          : 'Say both after how long and to which group it escalates.',
      actionPattern: (value) =>
        value.trim() ? actionTypeProblem(value) : 'Enter the covered actions; * covers all.',
    },
  });
  const submit = form.onSubmit(async (values) => {
    const asked = {
      humanReviewForAi: toBoolean(values.humanReviewForAi),
      dualApproval: toBoolean(values.dualApproval),
      riskRequired: toBoolean(values.riskRequired),
      riskThreshold: values.risk === '' ? undefined : Number(values.risk) / 100,
      minimumEvidenceLevel: values.minimumEvidenceLevel ?? undefined,
      approverAuthentication: values.approverAuthentication ?? undefined,
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
            scope: values.scope,
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
    <ActionForm
      act={known ? update : create}
      verb={known ? 'Save new version' : 'Activate'}
      onSubmit={submit}
    >
      <TextInput label="Name" required data-autofocus {...form.getInputProps('name')} />
      {!known && mayGoWider && (
        <Select
          label="Applies to"
          allowDeselect={false}
          data={choicesOf(scopeLabels)}
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
          {form.values.scope === 'REGION' && <TextInput label="Region" {...form.getInputProps('region')} />}
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
        data={choicesOf(levelLabels)}
        {...form.getInputProps('minimumEvidenceLevel')}
      />
      <Select
        label="Approver authentication"
        clearable
        placeholder="Inherited"
        data={choicesOf(authenticationLabels)}
        {...form.getInputProps('approverAuthentication')}
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
      {known && <Switch label="In force" {...form.getInputProps('active', { type: 'checkbox' })} />}
    </ActionForm>
  );
}
