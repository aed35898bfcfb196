import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowsSplit2, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { StepPlace } from './branch-moves.ts';

export interface StepMovesProps {
  number: number;
  can: { up: boolean; down: boolean; remove: boolean };
  /** The other lists that the step can move to. */
  places: readonly StepPlace[];
  onMove: (by: 1 | -1) => void;
  onMoveTo: (place: StepPlace) => void;
  onRemove: () => void;
}

/** Moves a step within its list or to another one, or removes it. */
export function StepMoves({ number, can, places, onMove, onMoveTo, onRemove }: StepMovesProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Move label={`Move step ${number} up`} tip="Earlier" disabled={!can.up} onClick={() => onMove(-1)}>
        <IconArrowUp size={16} />
      </Move>
      <Move label={`Move step ${number} down`} tip="Later" disabled={!can.down} onClick={() => onMove(1)}>
        <IconArrowDown size={16} />
      </Move>
      {places.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Move step ${number} to another branch`}>
              <IconArrowsSplit2 size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Move to</Menu.Label>
            {places.map((place) => (
              <Menu.Item key={`${place.branch} ${place.side}`} onClick={() => onMoveTo(place)}>
                {place.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
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
