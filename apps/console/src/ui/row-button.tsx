import { Button } from '@mantine/core';

interface RowButtonProps {
  verb: string;
  /** The rest of the accessible name: what the button acts on. */
  about: string;
  onClick: () => void;
}

/** A button in a row that ends or removes it. */
export function RowButton({ verb, about, onClick }: RowButtonProps) {
  return (
    <Button size="compact-xs" variant="subtle" color="red" onClick={onClick}>
      {verb}
      <span className="visually-hidden"> {about}</span>
    </Button>
  );
}
