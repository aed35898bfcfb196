import { Button, Modal, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, useRoleNames, useZone } from '../../session/session-context.ts';
import { ActionForm } from '../../ui/form-dialog.tsx';
import { type Person, PersonSelect } from '../people/person-select.tsx';
import classes from './calendar.module.css';
import { dayIn, timeIn } from './week.ts';

const Free = graphql(`
  query Free($domain: String!, $input: FreeSlotsInput) {
    availableSlots(domain: $domain, input: $input) { startsAt endsAt }
  }
`);
const Instructors = graphql(
  `query Instructors($domain: String!) { instructors(domain: $domain) { id name } }`,
);
const Book = graphql(`mutation Book($input: BookInput!) { book(input: $input) { id status } }`);

/** Preselected values. */
export interface BookingDraft {
  instructorId?: string | undefined;
  startsAt?: string | undefined;
  day?: string | undefined;
  person?: Person | undefined;
}

interface Choice {
  value: string;
  label: string;
}

/** The people of the center who can be booked, by name. */
export function useInstructors(): Choice[] {
  const { centerDomain } = useCenter();
  const read = useRead(Instructors, { domain: centerDomain });
  return (read.data?.instructors ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

interface BookDialogProps {
  draft: BookingDraft | null;
  onClose: () => void;
  onDone: () => void;
}

/** Books a free slot. */
export function BookDialog({ draft, onClose, onDone }: BookDialogProps) {
  const instructors = useInstructors();
  return (
    <Modal opened={draft !== null} onClose={onClose} title="Book">
      {draft && <BookForm draft={draft} instructors={instructors} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

interface BookFormProps extends BookDialogProps {
  draft: BookingDraft;
  instructors: Choice[];
}

function BookForm({ draft, instructors, onClose, onDone }: BookFormProps) {
  const { centerDomain } = useCenter();
  const zone = useZone();
  const roles = useRoleNames();
  const [instructorId, setInstructor] = useState(draft.instructorId ?? null);
  const [day, setDay] = useState(
    draft.day ?? dayIn(zone, draft.startsAt ? new Date(draft.startsAt) : new Date()),
  );
  const [startsAt, setStartsAt] = useState(draft.startsAt ?? null);
  const [person, setPerson] = useState<Person | null>(draft.person ?? null);
  const [note, setNote] = useState('');
  const free = useRead(
    Free,
    { domain: centerDomain, input: { date: day, instructorId } },
    { pause: !instructorId || !day },
  );
  const act = useAction(Book, { quiet: true });
  const slots = instructorId ? (free.data?.availableSlots ?? []) : [];
  const chosen = slots.find((slot) => slot.startsAt === startsAt);
  const book = async () => {
    if (!instructorId || !chosen || !person) return;
    const input = { instructorId, startsAt: chosen.startsAt, forActorId: person.actorId };
    const done = await act.run({ input: { ...input, note: note.trim() || undefined } });
    free.reload();
    if (!done) return;
    const waits = done.book.status === 'REQUESTED';
    notifications.show({ color: 'green', message: waits ? 'Waiting for confirmation.' : 'Booked.' });
    onClose();
    onDone();
  };
  return (
    <ActionForm act={act} verb="Confirm booking" disabled={!chosen || !person} onSubmit={() => void book()}>
      <Select label="With" searchable data={instructors} value={instructorId} onChange={setInstructor} />
      <TextInput
        type="date"
        label="Day"
        value={day}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <fieldset className={classes.times}>
        <legend>Free times</legend>
        {slots.length === 0 && (
          <p className={classes.quiet}>
            {instructorId ? 'No free slots on this day.' : `Choose a ${roles.oneInText('INSTRUCTOR')} first.`}
          </p>
        )}
        <div className={classes.slots}>
          {slots.map((slot) => (
            <Button
              key={slot.startsAt}
              size="compact-sm"
              variant={slot.startsAt === startsAt ? 'filled' : 'default'}
              aria-pressed={slot.startsAt === startsAt}
              onClick={() => setStartsAt(slot.startsAt)}
            >
              {timeIn(zone, slot.startsAt)}
            </Button>
          ))}
        </div>
      </fieldset>
      <PersonSelect label="For" value={person} onChange={setPerson} />
      <TextInput label="Note" value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
    </ActionForm>
  );
}
