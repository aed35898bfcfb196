/**
 * A session is in one center at a time, and all tabs share it. The address of a tab names its center: if another tab has
 * switched the session, it is switched back before this tab's next request.
 */
let mine: number | null = null;
let session: number | null = null;
let moving: Promise<void> | undefined;

const tabs = new BroadcastChannel('countersign-center');
tabs.onmessage = ({ data }: MessageEvent<number>) => {
  session = data;
};

/** This tab shows that center, and the session has just switched to it. */
export function announceCenter(centerId: number | null): void {
  mine = centerId;
  session = centerId;
  if (centerId !== null) tabs.postMessage(centerId);
}

const SWITCH = 'mutation Return($input: SwitchCenterInput!) { switchCenter(input: $input) { expiresIn } }';

export async function ensureTabCenter(init: RequestInit | undefined): Promise<void> {
  // Signing in, signing out and switching change the session themselves; they must not wait for it.
  if (mine === null || session === mine || isAboutTheSession(init)) return;
  moving ??= moveBack(mine).finally(() => {
    moving = undefined;
  });
  await moving;
}

const ABOUT_THE_SESSION = /\b(signIn|signInWithPasskey|confirmIdentity|switchCenter|refreshSession|logout)\b/;

const isAboutTheSession = (init: RequestInit | undefined) =>
  typeof init?.body === 'string' && ABOUT_THE_SESSION.test(init.body);

/** Throws without an answer: a request in another center would show its data here. */
async function moveBack(centerId: number): Promise<void> {
  await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: SWITCH, variables: { input: { centerId } } }),
  });
  announceCenter(centerId);
}
