import { JsonInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { graphql, isObject, type JsonObject, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useCenter, useSession } from '../../session/session-context.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { decisionTypes } from '../../text/labels.ts';
import { type DialogProps, FormDialog, filled } from '../../ui/form-dialog.tsx';
import { parsedJson } from '../../ui/json.tsx';

const Record = graphql(`
  mutation RecordDecision($input: RecordDecisionEventInput!) {
    recordDecisionEvent(input: $input) { event { id status } }
  }
`);

type Input = VariablesOf<typeof Record>['input'];

/** Kinds that a person decides; the others are written by agents and workflows. */
const kinds = (['human_approval', 'policy_decision', 'escalation', 'custom'] as const).map((value) => ({
  value,
  label: decisionTypes[value]!,
}));

/** An empty field, or an object: the service takes nothing else. */
function objectIn(text: string): JsonObject | null | undefined {
  if (text.trim() === '') return undefined;
  const value = parsedJson(text);
  return isObject(value) ? value : null;
}

/** Records a decision in the user's name. The policies determine whether someone must approve it. */
export function RecordDecisionDialog(dialog: Omit<DialogProps, 'onDone'>) {
  const { centerDomain: center } = useCenter();
  const { me } = useSession();
  const navigate = useNavigate();
  const act = useAction(Record, { quiet: true, done: 'The decision was recorded.' });
  const form = useForm({
    initialValues: {
      type: 'human_approval',
      description: '',
      actionType: '',
      input: '',
      tags: [] as string[],
    },
    validate: {
      description: filled('Say what was decided.'),
      actionType: (value) =>
        value.trim() ? actionTypeProblem(value) : 'Enter a type, such as refund.grant.',
      input: (value) => (objectIn(value) === null ? 'Enter a JSON object, or leave it empty.' : null),
    },
  });
  const save = async ({ type, description, actionType, input, tags }: typeof form.values) => {
    const details = objectIn(input);
    const done = await act.run({
      input: {
        type: type as Input['type'],
        actor: { id: me.actorId, type: 'human', name: me.name },
        action: {
          type: actionType.trim(),
          description: description.trim(),
          ...(details !== undefined && { input: details }),
        },
        tags,
      },
    });
    const id = done?.recordDecisionEvent.event.id;
    if (id) void navigate({ to: '/c/$center/decisions/$id', params: { center, id } });
    return done;
  };
  return (
    <FormDialog
      {...dialog}
      title="Record a decision"
      size="lg"
      form={form}
      act={act}
      save={save}
      draft="decision"
      verb="Record decision"
    >
      <Textarea
        label="Decision"
        description="What was decided, in one or two sentences."
        autosize
        minRows={2}
        data-autofocus
        {...form.getInputProps('description')}
      />
      <TextInput
        label="Action type"
        description="Policies apply by this type."
        placeholder="refund.grant"
        {...form.getInputProps('actionType')}
      />
      <Select label="Kind" allowDeselect={false} data={kinds} {...form.getInputProps('type')} />
      <JsonInput
        label="Details"
        description="Optional: what the decision is based on, as a JSON object."
        placeholder={'{ "amount": 120 }'}
        autosize
        minRows={3}
        {...form.getInputProps('input')}
      />
      <TagsInput label="Tags" {...form.getInputProps('tags')} />
    </FormDialog>
  );
}
