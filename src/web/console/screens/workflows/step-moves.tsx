import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface StepMovesProps {
  number: number;
  can: { up: boolean; down: boolean; remove: boolean };
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** Moves a step within its list, or removes it. */
export function StepMoves({ number, can, onMove, onRemove }: StepMovesProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Move label={`Move step ${number} up`} tip="Earlier" disabled={!can.up} onClick={() => onMove(-1)}>
        <IconArrowUp size={16} />
      </Move>
      <Move label={`Move step ${number} down`} tip="Later" disabled={!can.down} onClick={() => onMove(1)}>
        <IconArrowDown size={16} />
      </Move>
      <Move
        label={`Remove step ${number}`}
        tip="Remove"
        color="red"
        disabled={!can.remove}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </Move>
    </Group>
  );
}

interface MoveProps {
  label: string;
  tip: string;
  color?: string;
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function Move({ label, tip, color = 'gray', disabled, onClick, children }: MoveProps) {
  return (
    <Tooltip label={tip}>
      <ActionIcon variant="subtle" color={color} disabled={disabled} aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
