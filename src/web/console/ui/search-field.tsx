import { TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** Whoever types fast is answered for every few letters, and always for the last. */
const TOGETHER_MS = 150;

/** Words to look for; the first letter is answered at once. */
export function SearchField({
  initial,
  placeholder,
  onSearch,
}: {
  initial: string;
  placeholder: string;
  onSearch: (value: string) => void;
}) {
  const [typed, setTyped] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const tell = useThrottledCallback(onSearch, TOGETHER_MS);
  useEffect(() => {
    // Changed from elsewhere: a button that takes filters away, a link. While somebody types, the field is ahead.
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
        tell(currentTarget.value.trim());
      }}
    />
  );
}
