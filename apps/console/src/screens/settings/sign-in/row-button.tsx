import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';

interface RowButtonProps {
  label: string;
  color?: 'gray' | 'red';
  disabled?: boolean;
  onClick: () => void;
  /** The icon. */
  children: ReactNode;
}

/** A button at the end of a row of fields. */
export const RowButton = ({ label, color = 'gray', ...props }: RowButtonProps) => (
  <ActionIcon variant="subtle" color={color} size="lg" aria-label={label} {...props} />
);
