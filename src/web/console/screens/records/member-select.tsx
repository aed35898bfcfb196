import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';

const MembersToChoose = graphql(`
  query MembersToChoose($search: String) {
    members(first: 50, filter: { status: ACTIVE, search: $search }) { edges { node { actorId name email } } }
  }
`);

interface MemberSelectProps {
  label: string;
  value: string;
  onChange: (actorId: string) => void;
  error?: string | null;
}

/** Chooses an active member; searches while one types, so that it finds people beyond the first page. */
export function MemberSelect({ label, value, onChange, error }: MemberSelectProps) {
  const [words, setWords] = useState('');
  const [search] = useDebouncedValue(words, 250);
  const read = useRead(MembersToChoose, { search: search || undefined });
  const choices = (read.data?.members.edges ?? []).flatMap(({ node: { actorId, name, email } }) =>
    actorId ? [{ value: actorId, label: email && email !== name ? `${name} (${email})` : name }] : [],
  );
  return (
    <Select
      label={label}
      placeholder="Search name or email"
      searchable
      // The service has searched already.
      filter={({ options }) => options}
      onSearchChange={setWords}
      data={choices}
      value={value || null}
      onChange={(chosen) => onChange(chosen ?? '')}
      error={error}
      nothingFoundMessage="No matching members"
    />
  );
}
