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

/** Selects a member of the center. The service searches, so that large centers work too. */
export function PersonSelect({ label, memberRole, value, onChange }: PersonSelectProps) {
  const [typed, setTyped] = useState(value?.name ?? '');
  // The field shows the name of the selected person, which is not a search text.
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
      // The service has filtered already.
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
