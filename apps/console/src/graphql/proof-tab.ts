/**
 * A person of a center proves who they are at the provider, in another tab, so that this one keeps what was entered. The
 * provider returns that tab to the account page, which tells the waiting tab. The service alone decides what was proven.
 */
const NAME = 'countersign-proof';

/** Calls back when another tab has returned from the provider. Returns a function that stops waiting. */
export function onProofReturned(callback: (isProven: boolean) => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<boolean>) => callback(data);
  return () => channel.close();
}

export function announceProof(isProven: boolean): void {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(isProven);
  channel.close();
}
