import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';

const Guests = graphql(`
  query BookingGuests($search: String, $role: ActorRole) { bookingGuests(search: $search, role: $role) { actorId name role email } }
`);

export interface Person {
  actorId: string;
  name: string;
}

interface PersonSelectProps {
  label: string;
  /** Only people with this role. */
  memberRole?: 'PARENT' | 'CHILD';
  value: Person | null;
  onChange: (person: Person | null) => void;
}

/** Chooses a member of the center. The service searches, so that everybody can be found in a large center. */
export function PersonSelect({ label, memberRole, value, onChange }: PersonSelectProps) {
  const [typed, setTyped] = useState(value?.name ?? '');
  // The field repeats the name of the person who is chosen; that is not a search.
  const [search] = useDebouncedValue(value && typed.startsWith(value.name) ? '' : typed.trim(), 150);
  const read = useRead(Guests, { search: search || null, role: memberRole ?? null });
  const found = read.data?.bookingGuests ?? [];
  const choices = found.map(({ actorId, name, email }) => ({
    value: actorId,
    label: email ? `${name} (${email})` : name,
  }));
  if (value && !found.some(({ actorId }) => actorId === value.actorId))
    choices.push({ value: value.actorId, label: value.name });
  return (
    <Select
      label={label}
      placeholder="Search by name"
      searchable
      clearable
      data={choices}
      // The service has chosen already.
      filter={({ options }) => options}
      value={value?.actorId ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(actorId) => {
        const person = found.find((each) => each.actorId === actorId);
        onChange(person ? { actorId: person.actorId, name: person.name } : null);
      }}
      nothingFoundMessage={read.loading ? 'Searching' : 'No matching member'}
    />
  );
}
