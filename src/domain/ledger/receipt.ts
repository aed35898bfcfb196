// Receipts: the service's signed statement, returned with the response, that a record is at its position on a chain.
import { chainOrigin, keyNameFor, serviceName } from '@countersign/proof-kit';
import { makeReceipts, type ReceiptKind, type ReceiptPromise } from '@countersign/proof-kit/receipt';
import { LRUCache } from 'lru-cache';
import type { ChainDomain } from '../../db/generated/prisma/enums.ts';
import { sql } from '../../db/sql.ts';
import { makeBatcher } from '../../lib/batcher.ts';
import { sha256Bytes } from '../../lib/crypto.ts';
import { requireNoFindings } from './findings.ts';
import { openKeyring } from './keys/change.ts';
import { type Keyring, type NoteSigner, signText } from './keys/ring.ts';
import { acrossChains, type LedgerApp } from './ledger-app.ts';
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

type SignReceipt = (request: ReceiptRequest) => Promise<string | null>;

/** How long the service's keys are cached. A rotation reaches receipts within this time. */
const KEYS_FRESH_MS = 5_000;
/** Receipts in one batch: more than a group commit answers. */
const MOST_RECEIPTS = 256;
const MOST_ORIGINS = 10_000;

const signReceiptOf = new WeakMap<LedgerApp, SignReceipt>();

/**
 * The receipt of a record; null while nothing can be signed. The callers of a group commit continue in the same turn of the event
 * loop, so their receipts form one batch with one signature.
 */
export function receiptFor(app: LedgerApp, request: ReceiptRequest): Promise<string | null> {
  const signReceipt = signReceiptOf.get(app) ?? makeSignReceipt(app);
  signReceiptOf.set(app, signReceipt);
  return signReceipt(request);
}

function makeSignReceipt(app: LedgerApp): SignReceipt {
  const originsOf = makeOrigins(app);
  let ring: Keyring | null = null;
  let until = 0;
  return makeBatcher<ReceiptRequest, string | null>(
    async (requests) => {
      if (until < Date.now()) {
        ring = await currentKeys(app);
        until = Date.now() + KEYS_FRESH_MS;
      }
      if (!ring) return requests.map(() => null);
      return signAll(ring, requests, await originsOf(requests));
    },
    { most: MOST_RECEIPTS, concurrency: 1, retryAlone: () => false },
  );
}

/** One signature for each name under which the service signs: a service that moved has chains of more than one. */
async function signAll(
  ring: Keyring,
  requests: readonly ReceiptRequest[],
  origins: readonly string[],
): Promise<(string | null)[]> {
  const receipts = requests.map((): string | null => null);
  for (const service of new Set(origins.map(keyNameFor))) {
    const places = [...requests.keys()].filter((i) => keyNameFor(origins[i]!) === service);
    const signers = signersOf(ring, service);
    if (!signers) continue;
    const promises = places.map((i) => promiseOf(requests[i]!, origins[i]!));
    const signed = await makeReceipts(service, promises, (text) => signText(text, signers), sha256Bytes);
    places.forEach((place, i) => {
      receipts[place] = signed[i]!;
    });
  }
  return receipts;
}

function promiseOf(
  { kind, eventId, index, hash, timestamp }: ReceiptRequest,
  origin: string,
): ReceiptPromise {
  return { kind, eventId, origin, index, hash: Buffer.from(hash, 'hex'), time: timestamp };
}

function signersOf(ring: Keyring, service: string): NoteSigner[] | null {
  try {
    return ring.signersFor(service);
  } catch (error) {
    if (error instanceof SigningRefused) return null;
    throw error;
  }
}

const STORED_ORIGINS = sql('stored_origins', { centerId: 'int', domain: 'chain_domain', origin: 'text' })`
  SELECT center_id AS "centerId", domain, origin FROM ledger_chain
  WHERE center_id = ANY ($centerIds::int[]) AND origin IS NOT NULL`;

/**
 * The names of chains. A chain keeps the name of its first checkpoint, even if PUBLIC_URL changes; until then it has the name
 * that this checkpoint will carry.
 */
function makeOrigins(app: LedgerApp): (requests: readonly ReceiptRequest[]) => Promise<string[]> {
  const stored = new LRUCache<string, string>({ max: MOST_ORIGINS });
  const keyOf = ({ centerId, domain }: Pick<ReceiptRequest, 'centerId' | 'domain'>) =>
    `${centerId} ${domain}`;
  return async (requests) => {
    const unknown = requests.filter((request) => !stored.has(keyOf(request)));
    if (unknown.length > 0) {
      const centerIds = [...new Set(unknown.map(({ centerId }) => centerId))];
      for (const row of await STORED_ORIGINS.rows(acrossChains(app), { centerIds }))
        stored.set(keyOf(row), row.origin);
    }
    return requests.map((request) => {
      const { centerId, domain } = request;
      const known = stored.get(keyOf(request));
      if (known !== undefined) return known;
      // Cached as well: otherwise every batch would ask again until the first checkpoint.
      const origin = chainOrigin(app.config.publicUrl, centerId, domain);
      stored.set(keyOf(request), origin);
      return origin;
    });
  };
}

async function currentKeys(app: LedgerApp): Promise<Keyring | null> {
  try {
    const ring = await openKeyring(app, serviceName(app.config.publicUrl));
    await requireNoFindings(app.db.pool);
    return ring;
  } catch (error) {
    if (error instanceof SigningRefused) return null;
    throw error;
  }
}
