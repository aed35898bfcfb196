import { Select, Text, TextInput } from '@mantine/core';
import { graphql } from '../../../graphql/graphql.ts';
import { choicesOf } from '../../../ui/filters.tsx';
import { ActionForm, FormDialog, filled, useActionForm } from '../../../ui/form-dialog.tsx';

const Create = graphql(`
  mutation CreateScimToken($input: CreateScimTokenInput!) { createScimToken(input: $input) { plaintext scimToken { id } } }
`);
const Rotate = graphql(`
  mutation RotateScimToken($input: RotateScimTokenInput!) { rotateScimToken(input: $input) { plaintext scimToken { id } } }
`);

const DAY_MS = 86_400_000;

const lifetimes = [
  { value: '', label: 'Never' },
  ...choicesOf({ 90: 'In 90 days', 180: 'In 180 days', 365: 'In a year' }),
];

interface NewScimTokenProps {
  opened: boolean;
  onClose: () => void;
  onMade: (secret: string) => void;
}

export function NewScimToken({ onMade, ...dialog }: NewScimTokenProps) {
  const action = useActionForm(Create, {
    initialValues: { name: '', expires: '365' },
    validate: { name: filled('Enter a name.') },
    input: ({ name, expires }) => ({
      name: name.trim(),
      expiresAt: expires ? new Date(Date.now() + Number(expires) * DAY_MS).toISOString() : null,
    }),
    onDone: ({ createScimToken }) => onMade(createScimToken.plaintext),
  });
  return (
    <FormDialog {...dialog} {...action} title="New SCIM token" verb="Create token">
      <TextInput
        label="Name"
        description="The directory that uses the token."
        placeholder="Entra ID"
        required
        data-autofocus
        {...action.field('name')}
      />
      <Select
        label="Expires"
        description="Rotate the token before that, or the directory stops."
        allowDeselect={false}
        data={lifetimes}
        {...action.field('expires')}
      />
    </FormDialog>
  );
}

const overlaps = [
  { value: '24', label: 'A day' },
  { value: '168', label: 'A week' },
  { value: '720', label: '30 days' },
  { value: '0', label: 'No overlap: revoke immediately' },
];

/** Replaces a token; both work during the overlap. */
export function RotateScimToken({ id, onMade }: { id: string; onMade: (secret: string) => void }) {
  const action = useActionForm(Rotate, {
    initialValues: { overlap: '24' },
    input: ({ overlap }) => ({ id, overlapHours: Number(overlap) }),
    onDone: ({ rotateScimToken }) => onMade(rotateScimToken.plaintext),
  });
  return (
    <ActionForm {...action} verb="Rotate token">
      <Text size="sm">Enter the new token in your directory while the old one is still valid.</Text>
      <Select
        label="The old token stays valid for"
        allowDeselect={false}
        data={overlaps}
        {...action.field('overlap')}
      />
    </ActionForm>
  );
}
