// Receipts: the service's signed statement, returned with the response, that a record is at its position on a chain.
import { chainOrigin, serviceName } from '@countersign/proof-kit';
import { makeReceipts, type ReceiptKind, type ReceiptPromise } from '@countersign/proof-kit/receipt';
import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { sha256Bytes } from '../../lib/crypto.ts';
import { requireNoFindings } from './findings.ts';
import { openKeyring } from './keys/change.ts';
import { type NoteSigner, signText } from './keys/ring.ts';
import type { LedgerApp } from './ledger-app.ts';
import { SigningRefused } from './notes/faults.ts';

/** The position of a record on its chain. */
export interface ReceiptPlace {
  index: number;
  hash: string;
  timestamp: string;
}

/** A record of a center, and the decision that it is about. */
interface ReceiptRequest extends ReceiptPlace {
  kind: ReceiptKind;
  eventId: string;
  centerId: number;
  domain: ChainDomain;
}

type SignReceipt = (promise: ReceiptPromise) => Promise<string | null>;

/** How long the service's keys are cached. A rotation reaches receipts within this time. */
const KEYS_FRESH_MS = 5_000;
/** Receipts in one batch: more than a group commit answers. */
const MOST_RECEIPTS = 256;

const signReceiptOf = new WeakMap<LedgerApp, SignReceipt>();

/**
 * The receipt of a record; null while nothing can be signed. The callers of a group commit continue in the same turn of the event
 * loop, so their receipts form one batch with one signature.
 */
export function receiptFor(app: LedgerApp, request: ReceiptRequest): Promise<string | null> {
  const { kind, eventId, centerId, domain, index, hash, timestamp } = request;
  const origin = chainOrigin(app.config.publicUrl, centerId, domain);
  const signReceipt = signReceiptOf.get(app) ?? makeSignReceipt(app);
  signReceiptOf.set(app, signReceipt);
  return signReceipt({ kind, eventId, origin, index, hash: Buffer.from(hash, 'hex'), time: timestamp });
}

function makeSignReceipt(app: LedgerApp): SignReceipt {
  const service = serviceName(app.config.publicUrl);
  let signers: NoteSigner[] | null = null;
  let until = 0;
  return makeBatcher<ReceiptPromise, string | null>(
    async (promises) => {
      if (until < Date.now()) {
        signers = await currentSigners(app, service);
        until = Date.now() + KEYS_FRESH_MS;
      }
      const current = signers;
      if (!current) return promises.map(() => null);
      return makeReceipts(service, promises, (text) => signText(text, current), sha256Bytes);
    },
    { most: MOST_RECEIPTS, concurrency: 1, retryAlone: () => false },
  );
}

async function currentSigners(app: LedgerApp, service: string): Promise<NoteSigner[] | null> {
  try {
    const ring = await openKeyring(app, service);
    await requireNoFindings(app.db.pool);
    return ring.signersFor(service);
  } catch (error) {
    if (error instanceof SigningRefused) return null;
    throw error;
  }
}
