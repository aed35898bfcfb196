import { Modal, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';

const Rotate = graphql(`
  mutation RotateKey($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { plaintext previous { id expiresAt } } }
`);

const overlaps = [
  { value: '1', label: 'One hour' },
  { value: '24', label: 'A day' },
  { value: '168', label: 'A week' },
  { value: '0', label: 'No overlap: revoke immediately' },
];

interface RotateKeyProps {
  of: { id: string; name: string } | null;
  onClose: () => void;
  onMade: (secret: string) => void;
}

/** Replaces a key; both work during the overlap. */
export function RotateKey({ of: key, onClose, onMade }: RotateKeyProps) {
  const [overlap, setOverlap] = useState<string | null>('24');
  const act = useAction(Rotate, { quiet: true });
  const rotate = async () => {
    if (!key) return;
    const done = await act.run({ input: { id: key.id, overlapHours: Number(overlap) } });
    if (!done) return;
    onClose();
    onMade(done.rotateApiKey.plaintext);
  };
  return (
    <Modal opened={key !== null} onClose={onClose} title={`Rotate “${key?.name ?? ''}”`}>
      <ActionForm act={act} verb="Rotate key" onSubmit={() => void rotate()}>
        <Text size="sm">
          The new key has the same permissions. Replace the old one while it is still valid.
        </Text>
        <Select
          label="The old key stays valid for"
          allowDeselect={false}
          data={overlaps}
          value={overlap}
          onChange={setOverlap}
        />
      </ActionForm>
    </Modal>
  );
}
