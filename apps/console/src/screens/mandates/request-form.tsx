import { Button, Group, Modal, NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { momentIn } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { type MandateTerms, RequestMandate } from './mandate.ts';

const empty = {
  agent: '',
  actionPattern: '',
  condition: '',
  maxUses: '' as number | '',
  member: '',
  limit: '' as number | '',
  until: '',
  reason: '',
};

const required = (message: string) => (value: string) => (value.trim() ? null : message);

export function RequestForm({
  opened,
  onClose,
  onDone,
}: {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const { zone } = useTimes();
  const act = useAction(RequestMandate, {
    quiet: true,
    done: 'Requested. Another person has to approve it.',
  });
  const form = useForm({
    initialValues: empty,
    validate: {
      agent: required('Name the agent, as its calls do.'),
      actionPattern: (value) =>
        value.trim() && value.trim() !== '*' ? null : 'Name a kind of action, or a prefix with .* behind it.',
      until: required('Say when it ends.'),
      reason: required('Say why, for the person who approves it.'),
      member: (value, { limit }) => (limit !== '' && !value.trim() ? 'Say which number is added up.' : null),
      limit: (value, { member }) => (member.trim() && value === '' ? 'Say how much is allowed.' : null),
    },
  });
  const submit = form.onSubmit(async ({ agent, condition, maxUses, member, limit, until, ...rest }) => {
    const input: MandateTerms = {
      agent: { id: agent.trim() },
      actionPattern: rest.actionPattern.trim(),
      reason: rest.reason.trim(),
      validUntil: momentIn(zone, until),
      ...(condition.trim() && { condition: condition.trim() }),
      ...(maxUses !== '' && { maxUses: Number(maxUses) }),
      ...(member.trim() && { budget: { member: member.trim(), limit: Number(limit) } }),
    };
    if (!(await act.run({ input }))) return;
    form.reset();
    onClose();
    onDone();
  });
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title="Request a mandate">
      <form onSubmit={submit} noValidate>
        <Stack>
          <FailureNote failure={act.failure} />
          <TextInput
            label="Agent"
            description="Its id, as its calls name it."
            placeholder="refund-agent"
            required
            data-autofocus
            {...form.getInputProps('agent')}
          />
          <TextInput
            label="Actions"
            description="One kind of action, or a prefix with .* behind it."
            placeholder="refund.*"
            required
            {...form.getInputProps('actionPattern')}
          />
          <TextInput
            label="Condition"
            description="A CEL expression over input and riskScore. Left empty, every such call is covered."
            placeholder="input.amount < 20"
            {...form.getInputProps('condition')}
          />
          <NumberInput
            label="Uses at most"
            description="Left empty, as many as there are until it ends."
            min={1}
            allowDecimal={false}
            {...form.getInputProps('maxUses')}
          />
          <Group grow align="flex-start">
            <TextInput
              label="Number to add up"
              description="A path in the input of each call."
              placeholder="amount"
              {...form.getInputProps('member')}
            />
            <NumberInput
              label="Total at most"
              description="Calls beyond it ask a person."
              min={0}
              {...form.getInputProps('limit')}
            />
          </Group>
          <TextInput
            label="Ends"
            description="At most 366 days from now."
            type="datetime-local"
            required
            {...form.getInputProps('until')}
          />
          <Textarea
            label="Reason"
            description="For the person who approves it."
            autosize
            minRows={2}
            required
            {...form.getInputProps('reason')}
          />
          <Button type="submit" loading={act.busy}>
            Request the mandate
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
