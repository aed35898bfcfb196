/**
 * Unsaved input in the storage of this tab, so that it survives a reload and the end of the session. A draft belongs to a
 * person in a center: it is removed at sign-out, and when another person signs in.
 */
const PREFIX = 'countersign-draft';
const MAX_DRAFTS = 40;
/** In characters of JSON. A larger draft is not kept: a part of it would be worse than nothing. */
const MAX_DRAFT_LENGTH = 100_000;

interface StoredDraft {
  at: number;
  value: unknown;
}

let owner: { actorId: string; centerId: number | null } | undefined;

/** Drafts are read and written for this person in this center. Without a person, nothing is kept or removed. */
export function setDraftOwner(actorId: string | undefined, centerId: number | null | undefined): void {
  owner = actorId === undefined ? undefined : { actorId, centerId: centerId ?? null };
  if (owner) removeWhere((key) => !key.startsWith(`${PREFIX} ${actorId} `));
}

const signOuts = new BroadcastChannel('countersign-drafts');
signOuts.onmessage = () => removeWhere(() => true);

/** At sign-out, in all tabs. This tab keeps no more drafts until a person signs in. */
export function removeAllDrafts(): void {
  owner = undefined;
  removeWhere(() => true);
  signOuts.postMessage('signed out');
}

/** The key of a draft in the storage; null without a signed-in person. */
export const draftKey = (name: string): string | null =>
  owner ? `${PREFIX} ${owner.actorId} ${owner.centerId ?? ''} ${name}` : null;

/** The stored draft; undefined if there is none or if it does not fit the form, as after a new release. */
export function readDraft<T>(key: string | null, initial: T): T | undefined {
  const stored = parsed(key === null ? null : inStorage((storage) => storage.getItem(key)));
  return stored && fits(stored.value, initial) ? (stored.value as T) : undefined;
}

/** Stores a draft, or removes it if it equals the initial value. */
export function writeDraft<T>(key: string | null, value: T, initial: T): void {
  if (key === null || !owner) return;
  const json = JSON.stringify({ at: Date.now(), value } satisfies StoredDraft);
  if (JSON.stringify(value) === JSON.stringify(initial) || json.length > MAX_DRAFT_LENGTH) {
    removeDraft(key);
    return;
  }
  inStorage((storage) => storage.setItem(key, json));
  removeOldest();
}

export function removeDraft(key: string | null): void {
  if (key !== null) inStorage((storage) => storage.removeItem(key));
}

function removeOldest(): void {
  const keys = draftKeys();
  if (keys.length <= MAX_DRAFTS) return;
  const at = (key: string) => parsed(inStorage((storage) => storage.getItem(key)))?.at ?? 0;
  const byAge = keys.map((key) => ({ key, at: at(key) })).sort((a, b) => b.at - a.at);
  for (const { key } of byAge.slice(MAX_DRAFTS)) removeDraft(key);
}

const draftKeys = () =>
  inStorage((storage) => Object.keys(storage).filter((key) => key.startsWith(`${PREFIX} `))) ?? [];

function removeWhere(matches: (key: string) => boolean): void {
  for (const key of draftKeys().filter(matches)) removeDraft(key);
}

/** A browser may refuse storage, and storage may be full: then nothing is kept. */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

function parsed(json: string | null): StoredDraft | null {
  try {
    const stored = JSON.parse(json ?? 'null');
    return typeof stored?.at === 'number' && 'value' in stored ? stored : null;
  } catch {
    return null;
  }
}

const shapeOf = (value: unknown) =>
  Array.isArray(value) ? 'list' : typeof value === 'object' && value !== null ? 'object' : 'plain';

/** A draft has the shape of the initial value: objects with all its members, lists, and plain values, in their places. */
function fits(value: unknown, initial: unknown): boolean {
  if (initial === null) return true;
  const shape = shapeOf(initial);
  if (shapeOf(value) !== shape) return false;
  if (shape !== 'object') return true;
  const given = value as Record<string, unknown>;
  return Object.entries(initial as object).every(
    ([name, member]) => member === undefined || (name in given && fits(given[name], member)),
  );
}
