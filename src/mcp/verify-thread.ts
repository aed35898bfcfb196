// The thread that verifies one document: a document made to be costly keeps this thread busy, and nothing else.
import { parentPort, workerData } from 'node:worker_threads';
import { verifyProof } from '@countersign/proof-kit/verify-proof';
import type { ThreadVerdict, VerificationTask } from './verify-off-thread.ts';

/** The service that a document says signed it, before anybody has checked that. */
function namedService(text: string): unknown {
  try {
    return (JSON.parse(text) as { publicKey?: { name?: unknown } } | null)?.publicKey?.name;
  } catch {
    return undefined;
  }
}

const { text, keys } = workerData as VerificationTask;
// A proof of this service must bear this service's signature; one of another is judged by the key it brings along.
const isOurs = keys.some(({ name }) => name === namedService(text));
const { verdict, reason, steps } = await verifyProof(text, isOurs ? { keys } : {});
parentPort!.postMessage({ verdict, reason, steps } satisfies ThreadVerdict);
