import { Group, NumberInput, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { useAction } from '../../graphql/use-action.ts';
import { momentIn } from '../../text/time.ts';
import { type DialogProps, FormDialog, filled } from '../../ui/form-dialog.tsx';
import { useTimes } from '../../ui/zone.tsx';
import { KeySelect } from '../keys/key-select.tsx';
import { Warnings } from '../policies/advised.tsx';
import { patternProblem, useMandateCheck } from './drafting.ts';
import { Lifts } from './lifts.tsx';
import { RequestMandate } from './mandate.ts';
import { TryOut } from './try-mandate.tsx';

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

const MAX_KEYS = 10;

interface RequestFormProps extends Omit<DialogProps, 'onDone'> {
  /** Receives the id of the mandate. */
  onDone: (mandateId: string) => void;
}

export function RequestForm({ onDone, ...dialog }: RequestFormProps) {
  const { zone } = useTimes();
  const [leftCondition, setLeftCondition] = useState(false);
  const act = useAction(RequestMandate, {
    quiet: true,
    done: 'Requested. Another person has to approve it.',
  });
  const check = useRef<string | null>(null);
  const form = useForm({
    initialValues: empty,
    validate: {
      agent: filled('Name the agent, as its calls do.'),
      actionPattern: patternProblem,
      condition: () => check.current,
      keys: (value) => (value.length > 0 ? null : 'Choose the API keys that may use it.'),
      until: filled('Say when it ends.'),
      reason: filled('Say why, for the person who approves it.'),
      member: (value, { limit }) => (limit !== '' && !value.trim() ? 'Say which number is added up.' : null),
      limit: (value, { member }) => (member.trim() && value === '' ? 'Say how much is allowed.' : null),
    },
  });
  const { actionPattern, condition, member, limit } = form.values;
  const { conditionProblem, lifts, warnings } = useMandateCheck(form.values, !dialog.opened);
  check.current = conditionProblem;
  const budget = member.trim() && limit !== '' ? { member: member.trim(), limit: Number(limit) } : null;
  const scope = {
    actionPattern: actionPattern.trim(),
    ...(condition.trim() && { condition: condition.trim() }),
    ...(budget && { budget }),
  };
  const save = async ({ agent, keys, maxUses, until, reason }: typeof form.values) => {
    const done = await act.run({
      input: {
        ...scope,
        agent: { id: agent.trim() },
        keys,
        reason: reason.trim(),
        validUntil: momentIn(zone, until),
        ...(maxUses !== '' && { maxUses: Number(maxUses) }),
      },
    });
    if (done) onDone(done.requestMandate.mandateId);
    return done;
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
      <KeySelect
        description={`Only calls with these keys use the mandate, at most ${MAX_KEYS}. Type to search.`}
        maxValues={MAX_KEYS}
        pause={!dialog.opened}
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
        error={form.errors['condition'] ?? (leftCondition && conditionProblem)}
        onBlur={() => setLeftCondition(true)}
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
      <TryOut terms={patternProblem(actionPattern) === null ? scope : null} />
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
      {lifts.length > 0 && (
        <section aria-label="What it lifts">
          <Text fw={600} size="sm">
            What it lifts
          </Text>
          <Lifts of={lifts} />
        </section>
      )}
      <Warnings of={warnings.map((message) => ({ path: message, level: 'warning', message }))} />
    </FormDialog>
  );
}
