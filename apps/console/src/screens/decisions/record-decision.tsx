import { JsonInput, Modal, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { graphql, type Json, type VariablesOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useSession } from '../../session/session-context.ts';
import { decisionTypes } from '../../text/labels.ts';
import { ActionForm, filled } from '../../ui/form-dialog.tsx';

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
function objectIn(text: string): Json | null | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value = JSON.parse(text) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

interface RecordDecisionProps {
  center: string;
  opened: boolean;
  onClose: () => void;
}

/** Records a decision in the user's name. The policies determine whether someone must approve it. */
export function RecordDecisionDialog({ center, opened, onClose }: RecordDecisionProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Record a decision" size="lg">
      <RecordForm center={center} onClose={onClose} />
    </Modal>
  );
}

function RecordForm({ center, onClose }: Omit<RecordDecisionProps, 'opened'>) {
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
        /^[^\s]+$/.test(value.trim()) ? null : 'Enter a type without spaces, such as refund.grant.',
      input: (value) => (objectIn(value) === null ? 'Enter a JSON object, or leave it empty.' : null),
    },
  });
  const submit = form.onSubmit(async ({ type, description, actionType, input, tags }) => {
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
    if (!done) return;
    onClose();
    void navigate({
      to: '/c/$center/decisions/$id',
      params: { center, id: done.recordDecisionEvent.event.id },
    });
  });
  return (
    <ActionForm act={act} verb="Record decision" onSubmit={submit}>
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
    </ActionForm>
  );
}
