/** Asks the person for their password or passkey; true once the session is proven again. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
let asking: Promise<boolean> | undefined;

/** Called by the dialog that can ask; the returned function takes it back. */
export function provideProof(by: Ask): () => void {
  ask = by;
  return () => {
    if (ask === by) ask = undefined;
  };
}

/** One dialog for all requests that were refused meanwhile. */
export function freshProof(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined;
  });
  return asking;
}
