import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Members } from '../people/members.ts';
import classes from './calendar.module.css';
import { dayIn, timeIn } from './week.ts';

const Free = graphql(`
  query Free($domain: String!, $input: FreeSlotsInput) {
    availableSlots(domain: $domain, input: $input) { startsAt endsAt }
  }
`);
const Book = graphql(`mutation Book($input: BookInput!) { book(input: $input) { id status } }`);

interface BookDialogProps {
  opened: boolean;
  onClose: () => void;
  onDone: () => void;
  instructors: { value: string; label: string }[];
  instructor: string | undefined;
  zone: string;
}

/** Books a free time for somebody. */
export function BookDialog({ opened, onClose, onDone, instructors, instructor, zone }: BookDialogProps) {
  const { centerDomain } = useCenter();
  const [chosen, setChosen] = useState<string | null>(null);
  const [day, setDay] = useState(() => dayIn(zone, new Date()));
  const [startsAt, setStartsAt] = useState<string | null>(null);
  const [person, setPerson] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const who = chosen ?? instructor ?? null;
  const free = useRead(
    Free,
    { domain: centerDomain, input: { date: day, instructorId: who } },
    { pause: !opened || !who || !day },
  );
  const members = useRead(Members, { first: 100, filter: { status: 'ACTIVE' } }, { pause: !opened });
  const act = useAct(Book, { quiet: true });
  const slots = who ? (free.data?.availableSlots ?? []) : [];
  const book = async () => {
    if (!who || !startsAt || !person) return;
    const input = { instructorId: who, startsAt, forActorId: person, note: note.trim() || undefined };
    const done = await act.run({ input });
    free.reload();
    if (!done) return;
    const waits = done.book.status === 'REQUESTED';
    notifications.show({
      color: 'green',
      message: waits ? 'Waiting for the instructor to confirm.' : 'Booked.',
    });
    setStartsAt(null);
    setNote('');
    onClose();
    onDone();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Book">
      <Stack>
        <FailureNote failure={act.failure} />
        <Select label="With" searchable data={instructors} value={who} onChange={setChosen} />
        <TextInput
          type="date"
          label="Day"
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <legend style={{ padding: '0 0 8px', fontSize: 14, fontWeight: 500 }}>Free times</legend>
          {slots.length === 0 && (
            <p className={classes.quiet}>
              {who ? 'No free slots on this day.' : 'Choose an instructor first.'}
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
        <Select
          label="For"
          searchable
          data={(members.data?.members.edges ?? []).flatMap(({ node: { actorId, name } }) =>
            actorId ? [{ value: actorId, label: name }] : [],
          )}
          value={person}
          onChange={setPerson}
          nothingFoundMessage="No matching member"
        />
        <TextInput label="Note" value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
        <Button loading={act.busy} disabled={!who || !startsAt || !person} onClick={() => void book()}>
          Confirm booking
        </Button>
      </Stack>
    </Modal>
  );
}
