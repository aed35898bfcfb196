// Notifications of the browser. They appear on lock screens, so they contain no more than a name and a title.
import { useSyncExternalStore } from 'react';

const PREFIX = 'countersign-notify';
const watchers = new Set<() => void>();
const changed = () => watchers.forEach((each) => void each());

const watch = (watcher: () => void) => {
  watchers.add(watcher);
  // Another tab changed it.
  window.addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    window.removeEventListener('storage', watcher);
  };
};

export const canNotify = () => 'Notification' in window && window.isSecureContext;

export type Permission = NotificationPermission | 'unsupported';

const permission = (): Permission => (canNotify() ? Notification.permission : 'unsupported');

function isChosen(actorId: string): boolean {
  try {
    return localStorage.getItem(`${PREFIX} ${actorId}`) !== null;
  } catch {
    return false;
  }
}

/** Whether the person wants notifications in this browser, and whether the browser allows them. */
export function useNotifications(actorId: string): { isOn: boolean; permission: Permission } {
  const allowed = useSyncExternalStore(watch, permission);
  const chosen = useSyncExternalStore(watch, () => isChosen(actorId));
  return { isOn: chosen && allowed === 'granted', permission: allowed };
}

/** Asks the browser for permission, if needed. Returns whether notifications are on now. */
export async function turnOnNotifications(actorId: string): Promise<boolean> {
  if (!canNotify()) return false;
  const granted = (await Notification.requestPermission()) === 'granted';
  if (granted) localStorage.setItem(`${PREFIX} ${actorId}`, 'on');
  changed();
  return granted;
}

export function turnOffNotifications(actorId: string): void {
  localStorage.removeItem(`${PREFIX} ${actorId}`);
  changed();
}

const MAX_LENGTH = 100;
const cut = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text);

interface Shown {
  title: string;
  body: string;
  /** Tabs that show the same one replace each other's. */
  tag: string;
  onClick: () => void;
}

export function showNotification({ title, body, tag, onClick }: Shown): void {
  try {
    const notification = new Notification(cut(title), { body: cut(body), tag });
    notification.onclick = () => {
      window.focus();
      notification.close();
      onClick();
    };
  } catch {
    // Browsers of phones show notifications only for service workers.
  }
}
