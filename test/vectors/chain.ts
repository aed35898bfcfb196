/** A small chain whose every byte is determined, with its tree and its signed checkpoint. */
import {
  chainOrigin,
  type ExportDocument,
  growTree,
  HASH_PREFIX,
  inclusionPlan,
  noteKeyId,
  recordHash,
  resolvePlan,
  signCheckpoint,
  treeRoot,
} from '../../src/proof-kit/index.ts';
import type { Signer } from './signer.ts';

export const PUBLIC_URL = 'https://proof.example';
export const CENTER_ID = 12;

export interface VectorRecord {
  content: string;
  previousHash: string;
  timestamp: string;
  hash: string;
}

const START = Date.UTC(2026, 0, 31, 12);

export function buildChain(contents: string[]): VectorRecord[] {
  let previousHash = '';
  return contents.map((content, i) => {
    const record = { content, previousHash, timestamp: new Date(START + i * 61_007).toISOString() };
    previousHash = recordHash(record);
    return { ...record, hash: previousHash };
  });
}

/** The inclusion proof of one record under a checkpoint over the whole chain, and the key that signed it. */
export async function proveInclusion(
  chain: VectorRecord[],
  index: number,
  domain: string,
  signer: Signer,
): Promise<Pick<ExportDocument, 'inclusion' | 'publicKey'>> {
  const noneStored = () => {
    throw new Error('a tree grown from nothing reads no stored node');
  };
  const nodes = new Map(
    growTree(
      0,
      chain.map((record) => Buffer.from(record.hash, 'hex')),
      noneStored,
    ).map((node) => [`${node.level}/${node.index}`, node.hash]),
  );
  const lookup = (level: number, at: number) => nodes.get(`${level}/${at}`)!;
  const size = chain.length;
  const origin = chainOrigin(PUBLIC_URL, CENTER_ID, domain);
  const key = signer.keyNamed(origin);
  return {
    inclusion: {
      leafIndex: index,
      treeSize: size,
      hashes: resolvePlan(inclusionPlan(index, size), lookup).map((hash) =>
        Buffer.from(hash).toString('hex'),
      ),
      checkpoint: await signCheckpoint({ origin, size, root: treeRoot(size, lookup) }, key, signer.sign),
    },
    publicKey: {
      keyId: noteKeyId(key),
      name: origin,
      publicKey: Buffer.from(signer.publicKey).toString('base64'),
    },
  };
}

/** The parts that both kinds of export share. */
export function exportFrame(chain: VectorRecord[], index: number, domain: string, verifyId: string) {
  const record = chain[index]!;
  const hash = HASH_PREFIX + record.hash;
  const previousHash = record.previousHash === '' ? null : HASH_PREFIX + record.previousHash;
  return {
    head: {
      '@context': `${PUBLIC_URL}/schemas/decision-proof/v2`,
      '@type': 'DecisionProof',
      version: '2.0',
      exportedAt: '2026-02-01T08:30:00.000Z',
    },
    chain: { hash, previousHash, index, domain },
    verification: {
      hashAlgorithm: 'SHA-256',
      chainDomain: domain,
      chainIndex: index,
      chainHash: hash,
      previousHash,
      verifyUrl: `${PUBLIC_URL}/verify/${verifyId}`,
    },
    record: { content: record.content, previousHash: record.previousHash, timestamp: record.timestamp },
  } as const;
}
