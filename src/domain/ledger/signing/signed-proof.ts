import {
  type Inclusion,
  keyNameFor,
  leafHash,
  type ProofKey,
  parseOrigin,
  verifyInclusion,
} from '@countersign/proof-kit';
import type { OwnHead } from '@countersign/proof-kit/proof-document';
import type { Checkpoint } from '../../../db/generated/prisma/client.ts';
import { NotOnReplica } from '../../../db/replica.ts';
import { sql } from '../../../db/sql.ts';
import { sha256Bytes } from '../../../lib/crypto.ts';
import { DomainError } from '../../../lib/errors.ts';
import { readKeyring } from '../keys/ring.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import { closingsBefore, headInclusion } from '../log/published.ts';
import { HistoryChanged, SigningRefused } from '../notes/faults.ts';
import { tryParse } from '../notes/signatures.ts';
import { inclusionHashes } from '../tree/nodes.ts';
import { cosignedCheckpoint, ensureCheckpoint, latestCheckpoint } from './checkpoints.ts';

/** The signed part of an export: the record's proof in its chain, and the chain's proof in the head log. */
interface SignedProof {
  inclusion: Inclusion;
  head?: Inclusion;
  /** The newest key that signed the chain's checkpoint. */
  publicKey: ProofKey;
}

interface DocumentProof extends Omit<SignedProof, 'head'> {
  head?: OwnHead;
}

interface RecordPlace {
  chainId: number;
  chainIndex: number;
  chainHash: string;
}

/**
 * Proves that a record is in a signed state of its chain, and that state in the head log, with the cosignatures of witnesses.
 * If no checkpoint covers the record, one is signed now. Null if that is not possible: the document is then issued without
 * this proof.
 */
export async function signedProof(app: LedgerApp, place: RecordPlace): Promise<SignedProof | null> {
  const { chainId, chainIndex } = place;
  const newest = await ensureCheckpoint(app, chainId, chainIndex).catch((error: unknown) => {
    if (error instanceof NotOnReplica) throw error;
    const told = error instanceof HistoryChanged || error instanceof SigningRefused;
    if (!told) app.log.error({ err: error, chainId }, 'could not create a checkpoint');
    return null;
  });
  if (!newest) return null;
  try {
    return await proofUnder((await cosignedCheckpoint(app, chainId, chainIndex)) ?? newest, app, place);
  } catch (error) {
    // The tree or the key history is damaged. Checkpoint signing and verification report it.
    if (error instanceof HistoryChanged || error instanceof SigningRefused) return null;
    throw error;
  }
}

/** The same for a document's own record: the head of a later log carries the statements that closed the logs before it. */
export async function documentProof(app: LedgerApp, place: RecordPlace): Promise<DocumentProof | null> {
  const proof = await signedProof(app, place);
  const log = proof?.head && tryParse(proof.head.checkpoint);
  const parts = log && parseOrigin(log.origin);
  if (!proof?.head || parts?.chain !== null || parts.log === 1) return proof;
  const closings = await closingsBefore(app, parts.log);
  return { ...proof, head: { ...proof.head, ...(closings && { closings }) } };
}

const RECORD_BY_ORIGIN = sql('record_by_origin', { chainId: 'int', chainHash: 'text' })`
  SELECT r.chain_id AS "chainId", r.hash AS "chainHash" FROM ledger_chain c
  JOIN ledger_record r ON r.chain_id = c.id AND r.index = $chainIndex AND r.hash = $hash WHERE c.origin = $origin`;

/**
 * The same for a record by the origin of its chain, using only existing signatures. Null if no head of the log covers the
 * record yet, if the stored data differs from what was signed, or if the record has another hash. Says nothing about the
 * record's content.
 */
export async function publicProof(
  app: LedgerApp,
  origin: string,
  chainIndex: number,
  hash: string,
): Promise<SignedProof | null> {
  const rows = await RECORD_BY_ORIGIN.rows(acrossChains(app), { origin, chainIndex, hash });
  const place = rows[0] && { ...rows[0], chainIndex };
  if (!place) return null;
  try {
    const checkpoint =
      (await cosignedCheckpoint(app, place.chainId, chainIndex)) ??
      (await latestCheckpoint(acrossChains(app), place.chainId));
    return checkpoint && checkpoint.size > chainIndex ? await proofUnder(checkpoint, app, place) : null;
  } catch (error) {
    const isBroken = error instanceof DomainError && error.code === 'CHAIN_BROKEN';
    if (isBroken || error instanceof HistoryChanged || error instanceof SigningRefused) return null;
    throw error;
  }
}

async function proofUnder(
  checkpoint: Checkpoint,
  app: LedgerApp,
  { chainId, chainIndex, chainHash }: RecordPlace,
): Promise<SignedProof | null> {
  const parsed = tryParse(checkpoint.note);
  if (!parsed || parsed.size <= chainIndex) throw notWhatWasSigned(chainIndex);
  const { origin, size, root } = parsed;
  const hashes = await inclusionHashes(acrossChains(app), chainId, chainIndex, size);
  const leaf = leafHash(Buffer.from(chainHash, 'hex'), sha256Bytes);
  const proof = hashes.map((hash) => Buffer.from(hash, 'hex'));
  if (!verifyInclusion({ leaf, index: chainIndex, size, proof, root }, sha256Bytes))
    throw notWhatWasSigned(chainIndex);
  const key = (await readKeyring(app)).keys.find(({ keyId }) => keyId === checkpoint.keyId);
  if (!key) return null;
  const head = await headInclusion(app, checkpoint).catch((error: unknown) => {
    // Another chain's entry may be missing from the log. What was signed about this chain is unaffected.
    if (error instanceof SigningRefused) return null;
    throw error;
  });
  return {
    inclusion: { leafIndex: chainIndex, treeSize: size, hashes, checkpoint: checkpoint.note },
    ...(head && { head }),
    publicKey: { keyId: key.keyId, name: keyNameFor(origin), publicKey: key.publicKey },
  };
}

function notWhatWasSigned(chainIndex: number): DomainError {
  return new DomainError('CHAIN_BROKEN', `Record ${chainIndex} is not the one that was signed.`, {
    details: { chainIndex },
  });
}
