import { normalText } from '@countersign/proof-kit/approver-id';
import { ActionIcon, Autocomplete, Button, Fieldset, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';
import {
  type ActionTypeValues,
  type ActionTypeWords,
  fieldFaults,
  LONGEST,
  MAX_MEMBERS,
  RecentActions,
  recentPaths,
  recentTypes,
  rulesOf,
  SaveActionTypes,
} from './action-type.ts';
import classes from './action-type-form.module.css';

interface ActionTypeFormProps {
  /** The type to edit; without a type, a new one. */
  of: ActionTypeWords;
  /** All types of the center. */
  types: readonly ActionTypeWords[];
  onDone: () => void;
}

const isSame = (a: ActionTypeWords, b: ActionTypeWords) => normalText(a.type) === normalText(b.type);

export function ActionTypeForm({ of: edited, types, onDone }: ActionTypeFormProps) {
  const others = types.filter((each) => !isSame(each, edited));
  const place = types.findIndex((each) => isSame(each, edited));
  const at = place === -1 ? types.length : place;
  const { form, act, field, onSubmit } = useActionForm(SaveActionTypes, {
    done: 'Saved.',
    initialValues: {
      type: edited.type,
      label: edited.label,
      members: edited.members.map(({ path, label, unit }) => ({ path, label, unit: unit ?? '' })),
    } as ActionTypeValues,
    validate: rulesOf(others),
    input: ({ type, label, members }) => ({
      actionTypes: others.toSpliced(at, 0, wordsOf({ type, label, members })),
    }),
    onDone,
  });
  const { setErrors, values } = form;
  useEffect(() => setErrors(fieldFaults(act.failure, at)), [act.failure, at, setErrors]);
  const recent = useRead(RecentActions, {}).data?.decisionEvents.edges ?? [];
  const paths = recentPaths(recent, values.type);
  const isFree = (path: string) => !values.members.some((each) => each.path === path);
  return (
    <ActionForm act={act} verb="Save" onSubmit={onSubmit}>
      <Autocomplete
        label="Action type"
        description="As your agents send it in action.type."
        placeholder="refund.grant"
        data={recentTypes(recent, others)}
        maxLength={LONGEST.type}
        data-autofocus
        {...field('type')}
      />
      <TextInput
        label="Name of the action"
        placeholder="Refund"
        maxLength={LONGEST.label}
        {...field('label')}
      />
      <Fieldset legend="Arguments with a name">
        <Stack gap={12}>
          {values.members.map((_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: arguments are identified by their number
            <div key={i} className={classes.member}>
              <Autocomplete
                label="Path"
                aria-label={`Argument ${i + 1}: path`}
                placeholder="order.amount"
                data={paths.filter(isFree)}
                maxLength={LONGEST.path}
                {...field(`members.${i}.path`)}
              />
              <TextInput
                label="Name"
                aria-label={`Argument ${i + 1}: name`}
                placeholder="Amount"
                maxLength={LONGEST.label}
                {...field(`members.${i}.label`)}
              />
              <TextInput
                label="Unit"
                aria-label={`Argument ${i + 1}: unit`}
                placeholder="EUR"
                maxLength={LONGEST.unit}
                {...field(`members.${i}.unit`)}
              />
              <ActionIcon
                variant="subtle"
                color="red"
                size="lg"
                className={classes.remove}
                aria-label={`Remove argument ${i + 1}`}
                onClick={() => form.removeListItem('members', i)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          ))}
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              disabled={values.members.length >= MAX_MEMBERS}
              onClick={() => form.insertListItem('members', { path: '', label: '', unit: '' })}
            >
              Add an argument
            </Button>
          </div>
        </Stack>
      </Fieldset>
    </ActionForm>
  );
}

const wordsOf = ({ type, label, members }: ActionTypeValues) => ({
  type: type.trim(),
  label: label.trim(),
  members: members.map((each) => ({
    path: each.path.trim(),
    label: each.label.trim(),
    unit: each.unit.trim() || null,
  })),
});
