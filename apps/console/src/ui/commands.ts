import { useEffect, useEffectEvent } from 'react';

/** Actions of the finder: they open their screen, then its dialog. */
export type Command =
  | 'add-passkey'
  | 'invite-person'
  | 'new-key'
  | 'new-webhook'
  | 'new-policy'
  | 'new-group'
  | 'request-mandate'
  | 'new-center'
  | 'record-payment'
  | 'new-partner';

let pending: Command | null = null;
const commands = new EventTarget();

export function runCommand(command: Command): void {
  pending = command;
  commands.dispatchEvent(new Event('command'));
}

/** Calls back when this command was given, also if that was before the screen was there. */
export function useCommand(command: Command, callback: () => void): void {
  const call = useEffectEvent(callback);
  useEffect(() => {
    const take = () => {
      if (pending !== command) return;
      pending = null;
      call();
    };
    take();
    commands.addEventListener('command', take);
    return () => commands.removeEventListener('command', take);
  }, [command]);
}
