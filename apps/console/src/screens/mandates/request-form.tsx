import { Group, MultiSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { momentIn } from '../../text/time.ts';
import { type DialogProps, FormDialog, filled } from '../../ui/form-dialog.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { KeyNames, RequestMandate } from './mandate.ts';

const empty = {
  agent: '',
  keys: [] as string[],
  actionPattern: '',
  condition: '',
  maxUses: '' as number | '',
  member: '',
  limit: '' as number | '',
  until: '',
  reason: '',
};

/** The keys that still work. Two keys can have the same name during a rotation. */
const keyChoices = (data: ResultOf<typeof KeyNames> | undefined) =>
  (data?.apiKeys.edges ?? [])
    .map(({ node }) => node)
    .filter(({ revokedAt, expiresAt }) => !revokedAt && (!expiresAt || Date.parse(expiresAt) > Date.now()))
    .map(({ id, name, publicId }) => ({ value: id, label: `${name} (${publicId})` }));

export function RequestForm(dialog: DialogProps) {
  const { zone } = useTimes();
  const keys = useRead(KeyNames, {}, { pause: !dialog.opened });
  const act = useAction(RequestMandate, {
    quiet: true,
    done: 'Requested. Another person has to approve it.',
  });
  const form = useForm({
    initialValues: empty,
    validate: {
      agent: filled('Name the agent, as its calls do.'),
      actionPattern: (value) =>
        value.trim() && value.trim() !== '*'
          ? actionTypeProblem(value)
          : 'Name a kind of action, or a prefix with .* behind it.',
      keys: (value) => (value.length > 0 ? null : 'Choose the API keys that may use it.'),
      until: filled('Say when it ends.'),
      reason: filled('Say why, for the person who approves it.'),
      member: (value, { limit }) => (limit !== '' && !value.trim() ? 'Say which number is added up.' : null),
      limit: (value, { member }) => (member.trim() && value === '' ? 'Say how much is allowed.' : null),
    },
  });
  const save = ({ agent, condition, maxUses, member, limit, until, ...rest }: typeof form.values) => {
    const input = {
      agent: { id: agent.trim() },
      keys: rest.keys,
      actionPattern: rest.actionPattern.trim(),
      reason: rest.reason.trim(),
      validUntil: momentIn(zone, until),
      ...(condition.trim() && { condition: condition.trim() }),
      ...(maxUses !== '' && { maxUses: Number(maxUses) }),
      ...(member.trim() && { budget: { member: member.trim(), limit: Number(limit) } }),
    };
    return act.run({ input });
  };
  return (
    <FormDialog
      {...dialog}
      title="Request a mandate"
      size="lg"
      form={form}
      act={act}
      save={save}
      draft="mandate"
      verb="Request the mandate"
    >
      <TextInput
        label="Agent"
        description="Its id, as its calls name it."
        placeholder="refund-agent"
        required
        data-autofocus
        {...form.getInputProps('agent')}
      />
      <MultiSelect
        label="API keys"
        description="Only calls with these keys use the mandate, at most 10."
        required
        searchable
        maxValues={10}
        data={keyChoices(keys.data)}
        {...form.getInputProps('keys')}
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
    </FormDialog>
  );
}
