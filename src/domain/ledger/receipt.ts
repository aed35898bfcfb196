// Receipts: the service's signed statement, returned with the response, that a record is at its position on a chain.
import { chainOrigin, keyNameFor } from '@countersign/proof-kit';
import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { requireNoFindings } from './findings.ts';
import { openKeyring } from './keys/change.ts';
import { type NoteSigner, signText } from './keys/ring.ts';
import type { LedgerApp } from './ledger-app.ts';
import { SigningRefused } from './notes/faults.ts';

/** A record of a center, by position. */
export interface ReceiptPlace {
  centerId: number;
  domain: ChainDomain;
  index: number;
  hash: string;
  timestamp: string;
}

/** How long the service's keys are cached. A rotation reaches receipts within this time. */
const KEYS_FRESH_MS = 5_000;

interface Signers {
  list: Promise<NoteSigner[] | null>;
  until: number;
}

const signersOf = new WeakMap<LedgerApp, Signers>();

/**
 * A signed note over the position of a record. Signatures are deterministic, so a record's receipt is always the same unless
 * the keys changed. Null while nothing can be signed.
 */
export async function receiptFor(app: LedgerApp, place: ReceiptPlace): Promise<string | null> {
  const origin = chainOrigin(app.config.publicUrl, place.centerId, place.domain);
  const service = keyNameFor(origin);
  const signers = await currentSigners(app, origin);
  if (!signers) return null;
  const hash = Buffer.from(place.hash, 'hex').toString('base64');
  return signText(
    [`${service}/receipts`, origin, place.index, hash, place.timestamp, ''].join('\n'),
    signers,
  );
}

function currentSigners(app: LedgerApp, origin: string): Promise<NoteSigner[] | null> {
  const known = signersOf.get(app);
  if (known && known.until > Date.now()) return known.list;
  const list = openKeyring(app, keyNameFor(origin))
    .then(async (ring) => {
      await requireNoFindings(app.db.pool);
      return ring.signersFor(origin);
    })
    .catch((error: unknown) => {
      if (error instanceof SigningRefused) return null;
      signersOf.delete(app);
      throw error;
    });
  signersOf.set(app, { list, until: Date.now() + KEYS_FRESH_MS });
  return list;
}
