import { TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { memo, useEffect, useRef, useState } from 'react';

/** Fast typing triggers a search every few letters, and always for the last. */
const THROTTLE_MS = 150;

interface SearchFieldProps {
  initial: string;
  placeholder: string;
  onChange: (changes: { search: string | undefined }) => void;
}

/** A search field. The first letter triggers a search immediately. */
export const SearchField = memo(function SearchField({ initial, placeholder, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const changeLater = useThrottledCallback(onChange, THROTTLE_MS);
  useEffect(() => {
    // The value changed from outside, for example by a link that clears filters. While the user types, the field is ahead.
    if (document.activeElement !== field.current) setTyped(initial);
  }, [initial]);
  return (
    <TextInput
      ref={field}
      aria-label="Search"
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      value={typed}
      maxLength={200}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeLater({ search: currentTarget.value.trim() || undefined });
      }}
    />
  );
});
