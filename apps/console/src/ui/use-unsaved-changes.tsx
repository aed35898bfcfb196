import { Button, Group, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { hasSessionEnded } from '../session/session.ts';

/**
 * Asks before a person leaves a form with unsaved changes. `release` lets the next navigation pass, after saving. `onDiscard`
 * removes the draft.
 */
export function useUnsavedChanges(
  changed: boolean,
  onDiscard?: () => void,
): { question: ReactNode; release: () => void } {
  const released = useRef(false);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => changed && !released.current,
    // At the end of the session the draft is kept.
    enableBeforeUnload: () => changed && !released.current && !hasSessionEnded(),
    withResolver: true,
  });
  const leave = () => {
    onDiscard?.();
    proceed?.();
  };
  const question = (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title="Leave without saving?">
      <p style={{ marginTop: 0 }}>Your changes are not saved yet. They are lost if you leave this page.</p>
      <Group justify="flex-end">
        <Button variant="default" color="red" onClick={leave}>
          Discard changes
        </Button>
        <Button data-autofocus onClick={() => reset?.()}>
          Keep editing
        </Button>
      </Group>
    </Modal>
  );
  return {
    question,
    release: () => {
      released.current = true;
    },
  };
}
