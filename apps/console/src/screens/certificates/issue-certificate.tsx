import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { type Person, PersonSelect } from '../people/person-select.tsx';

const Issue = graphql(`
  mutation IssueCertificate($input: IssueCertificateInput!) { issueCertificate(input: $input) { id } }
`);

interface IssueCertificateProps {
  opened: boolean;
  /** The holder, if the certificate is issued from a booking. */
  person?: Person | null;
  onClose: () => void;
  onDone?: () => void;
}

/** Issues a certificate, which cannot be changed afterwards. */
export function IssueCertificate({ opened, onClose, ...rest }: IssueCertificateProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Issue certificate">
      {opened && <Form onClose={onClose} {...rest} />}
    </Modal>
  );
}

function Form({ person = null, onClose, onDone }: Omit<IssueCertificateProps, 'opened'>) {
  const [holder, setHolder] = useState<Person | null>(person);
  const [title, setTitle] = useState('');
  const [course, setCourse] = useState('');
  const act = useAction(Issue, { quiet: true, done: 'The certificate was issued and sealed.' });
  const issue = async () => {
    if (!holder) return;
    const input = { learnerId: holder.actorId, title: title.trim(), courseRef: course.trim() };
    if (!(await act.run({ input }))) return;
    onClose();
    onDone?.();
  };
  return (
    <ActionForm
      act={act}
      verb="Issue certificate"
      disabled={!holder || !title.trim() || !course.trim()}
      onSubmit={() => void issue()}
    >
      <PersonSelect label="Holder" value={holder} onChange={setHolder} />
      <TextInput
        label="Title"
        placeholder="First aid, level 1"
        maxLength={256}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <TextInput
        label="Course"
        description="The course as your learning platform names it. Each person gets one certificate for a course."
        maxLength={256}
        value={course}
        onChange={({ currentTarget }) => setCourse(currentTarget.value)}
      />
    </ActionForm>
  );
}
