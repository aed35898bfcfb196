import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';

const MOST = 20;
/** While no entry shows the name. */
const UNNAMED = 'One person';

const People = graphql(`
  query AuditPeople($first: Int, $filter: MemberFilter) {
    members(first: $first, filter: $filter) {
      pageInfo { hasNextPage }
      edges { node { id actorId name email } }
    }
  }
`);

interface ActorFilterProps {
  /** The id of the selected person. */
  value: string | undefined;
  /** The name of the selected person, as far as the entries show it. */
  name: string | undefined;
  onChange: (actorId: string | undefined) => void;
}

/** Selects the person who caused the entries. The service searches, so that centers with many people work too. */
export function ActorFilter({ value, name, onChange }: ActorFilterProps) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(null);
  const label = chosen && chosen.id === value ? chosen.name : (name ?? UNNAMED);
  // The field shows the name of the selected person, which is not a search text.
  const isName = value && (typed === label || typed === UNNAMED);
  const [search] = useDebouncedValue(isName ? '' : typed.trim(), 150);
  const read = useRead(People, { first: MOST, filter: { search: search || null } });
  const people = new Map<string, string>();
  for (const { node } of read.data?.members.edges ?? []) {
    if (node.actorId) people.set(node.actorId, node.email ? `${node.name} (${node.email})` : node.name);
  }
  const more = read.data?.members.pageInfo.hasNextPage;
  const choices = [...people].map(([id, text]) => ({ value: id, label: id === value ? label : text }));
  if (value && !people.has(value)) choices.unshift({ value, label });
  return (
    <Select
      aria-label="Person"
      placeholder="Anybody"
      searchable
      clearable
      data={more ? [...choices, { value: '', label: 'Type to find others', disabled: true }] : choices}
      // The service has filtered already.
      filter={({ options }) => options}
      value={value ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => {
        const found = read.data?.members.edges.find(({ node }) => node.actorId === id)?.node;
        setChosen(found?.actorId ? { id: found.actorId, name: found.name } : null);
        onChange(id ?? undefined);
      }}
      nothingFoundMessage={read.loading ? 'Searching' : 'No matching person'}
    />
  );
}
