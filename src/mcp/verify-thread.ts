// The thread that verifies one document: a document crafted to be expensive blocks only this thread.
import { parentPort, workerData } from 'node:worker_threads';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import type { ThreadVerdict, VerificationTask } from './verify-off-thread.ts';

/** The service that a document claims as its signer, not yet verified. */
function namedService(text: string): unknown {
  try {
    return (JSON.parse(text) as { publicKey?: { name?: unknown } } | null)?.publicKey?.name;
  } catch {
    return undefined;
  }
}

const { text, keys } = workerData as VerificationTask;
// A proof of this service must have this service's signature; a proof of another service is verified with the key it contains.
const isOurs = keys.some(({ name }) => name === namedService(text));
const { verdict, reason, steps } = await verifyProof(text, isOurs ? { keys } : {});
parentPort!.postMessage({ verdict, reason, steps } satisfies ThreadVerdict);
