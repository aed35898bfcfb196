import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

/** A dialog about one row of a table. It keeps its row while it closes. */
export function useRowDialog<Row>() {
  const [row, setRow] = useState<Row | null>(null);
  const [opened, { open, close }] = useDisclosure();
  const show = (about: Row) => {
    setRow(about);
    open();
  };
  return { row, opened, show, close };
}
