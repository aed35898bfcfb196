import { NumberInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { FormDialog, filled, useActionForm } from '../../ui/form-dialog.tsx';

const Create = graphql(`
  mutation CreateKey($input: CreateApiKeyInput!) { createApiKey(input: $input) { plaintext apiKey { id } } }
`);

const days = [
  { value: '', label: 'Never' },
  ...choicesOf({ 30: 'In 30 days', 90: 'In 90 days', 365: 'In a year' }),
];

/** The narrowest first. */
const permissions = [
  [
    'proof:request',
    'Ask only',
    'For agents: request decisions, read its own, act on them and report the outcome.',
  ],
  ['proof:read', 'Read', 'For reports: read all decisions and proofs of the center, and change nothing.'],
  [
    'proof:write',
    'Read and write',
    'For your own services: also record decisions, report approvals, and manage webhooks and mandates.',
  ],
] as const;

interface NewKeyProps {
  opened: boolean;
  onClose: () => void;
  onMade: (secret: string) => void;
}

export function NewKey({ onMade, ...dialog }: NewKeyProps) {
  const action = useActionForm(Create, {
    initialValues: { name: '', scope: 'proof:request', expires: '', rate: '' as number | '' },
    validate: { name: filled('Enter a name.') },
    input: ({ name, scope, expires, rate }) => ({
      name: name.trim(),
      scopes: scope === 'proof:write' ? ['proof:read', 'proof:write'] : [scope],
      ...(expires && { expiresAt: new Date(Date.now() + Number(expires) * 86_400_000).toISOString() }),
      ...(rate !== '' && { ratePerMinute: Number(rate) }),
    }),
    onDone: ({ createApiKey }) => onMade(createApiKey.plaintext),
  });
  return (
    <FormDialog {...dialog} {...action} title="New API key" verb="Create key">
      <TextInput
        label="Name"
        placeholder="Care planning agent"
        description="The system that uses the key."
        required
        data-autofocus
        {...action.field('name')}
      />
      <Radio.Group label="Permissions" {...action.field('scope')}>
        <Stack gap={8} mt={6}>
          {permissions.map(([value, label, description]) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      <Select label="Expires" allowDeselect={false} data={days} {...action.field('expires')} />
      <NumberInput
        label="Requests per minute"
        description="Leave empty for the default limit."
        min={1}
        max={6_000}
        allowDecimal={false}
        {...action.field('rate')}
      />
    </FormDialog>
  );
}
