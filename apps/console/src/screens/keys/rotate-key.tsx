import { Select, Text } from '@mantine/core';
import { graphql } from '../../graphql/graphql.ts';
import { ActionForm, useActionForm } from '../../ui/form-dialog.tsx';

const Rotate = graphql(`
  mutation RotateKey($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { plaintext previous { id expiresAt } } }
`);

const overlaps = [
  { value: '1', label: 'One hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: 'A week' },
  { value: '0', label: 'No overlap: revoke immediately' },
];

/** Replaces a key; both work during the overlap. */
export function RotateKey({ id, onMade }: { id: string; onMade: (secret: string) => void }) {
  const action = useActionForm(Rotate, {
    initialValues: { overlap: '24' },
    input: ({ overlap }) => ({ id, overlapHours: Number(overlap) }),
    onDone: ({ rotateApiKey }) => onMade(rotateApiKey.plaintext),
  });
  return (
    <ActionForm {...action} verb="Rotate key">
      <Text size="sm">
        The new key has the same permissions. Replace the old one while it is still valid.
      </Text>
      <Select
        label="The old key stays valid for"
        allowDeselect={false}
        data={overlaps}
        {...action.field('overlap')}
      />
    </ActionForm>
  );
}
