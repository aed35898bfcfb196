/**
 * What a dishonest operator who knows the format does: after a change of the content, passkeys sign again, the readable part
 * is rebuilt, hashes follow, and the log is rebuilt around the records, signed and cosigned.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { cosign } from '@countersign/proof-kit/cosignature';
import { disclose, discloseRejection } from '@countersign/proof-kit/disclose';
import { disclosureDigest } from '@countersign/proof-kit/disclosure';
import { leafHash, nodeHash } from '@countersign/proof-kit/merkle';
import { signatureLine } from '@countersign/proof-kit/note';
import { recordHash } from '@countersign/proof-kit/record';
import { type Credential, showDecision, showRejection } from '@countersign/proof-kit/shown';
import { noteKeyIdBytes } from '@countersign/proof-kit/vkey';
import { serviceSigners, strangerSigner, witnesses } from '../../scripts/vectors/genuine.ts';
import { ed25519Passkey, type Passkey, p256Passkey, rsaPasskey } from '../../scripts/vectors/signers.ts';
import { holdersOf, isTree, type Tree } from './expand.ts';

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

const passkeys = new Map<string, Passkey>(
  [31, 33, 34, 35]
    .map((seed) => p256Passkey(seed))
    .concat([ed25519Passkey(32), rsaPasskey('vectors')])
    .map((passkey) => [Buffer.from(passkey.spki).toString('base64url'), passkey]),
);

/** Signs every approval by a known passkey again, over the current content. */
export function signApprovals(record: Tree, disclosures: string[]): void {
  const content = JSON.parse(String(record['content']));
  const approvals = content.approvals ?? (content.approval ? [content.approval] : []);
  const eventDigest = sha256(canonicalJson(content.event ?? null)).toString('hex');
  disclosures.forEach((text, place) => {
    const [salt, name, value] = JSON.parse(Buffer.from(text, 'base64url').toString());
    const passkey = name === 'signature' && isTree(value) && passkeys.get(String(value['publicKey']));
    const own = disclosureDigest(text);
    const approval = approvals.find((each: Tree) => (each['_sd'] as string[] | undefined)?.includes(own));
    if (!passkey || !approval) return;
    const { approvedAt: _, _sd, ...open } = approval;
    const rest = _sd.filter((digest: string) => digest !== own);
    const signed = { ...open, ...(rest.length > 0 && { _sd: rest }) };
    const challenge = sha256(canonicalJson({ approval: signed, eventDigest })).toString('base64url');
    const clientData = JSON.parse(Buffer.from(value['clientDataJSON'] as string, 'base64url').toString());
    const clientDataJSON = Buffer.from(JSON.stringify({ ...clientData, challenge }));
    const data = Buffer.from(String(value['authenticatorData']), 'base64url');
    const signature = passkey.sign(Buffer.concat([data, sha256(clientDataJSON)]));
    const changed = {
      ...value,
      clientDataJSON: clientDataJSON.toString('base64url'),
      signature: Buffer.from(signature).toString('base64url'),
    };
    disclosures[place] = Buffer.from(JSON.stringify([salt, name, changed])).toString('base64url');
    approval._sd = [...rest, disclosureDigest(disclosures[place])].sort();
  });
  if (Object.hasOwn(content, 'eventDigest')) content.eventDigest = eventDigest;
  record['content'] = canonicalJson(content);
}

/** A record and its proofs in the logs. */
interface Logged extends Tree {
  record: { content: string; previousHash: string; timestamp: string };
}

const isLogged = (value: Tree): value is Logged => {
  const { record } = value;
  return (
    isTree(record) &&
    ['content', 'previousHash', 'timestamp'].every((name) => typeof record[name] === 'string')
  );
};

export interface Signing {
  signers: 'service' | 'stranger';
  /** The clock of each witness that cosigns, in seconds since 1970. */
  cosignedAt: readonly number[];
}

const LARGEST_TREE = 2_000;

interface Chain {
  origin: string;
  leaves: Uint8Array[];
  parts: { part: Logged; index: number }[];
}

/** Rebuilds the chains of all records in a document, with the head log over them. Skips records that have no place in a log. */
export async function buildLog(document: Tree, signing: Signing): Promise<void> {
  const chains = new Map<string, Chain>();
  for (const part of holdersOf(document, 'inclusion').filter(isLogged)) {
    const { inclusion } = part;
    if (!isTree(inclusion) || typeof inclusion['checkpoint'] !== 'string') continue;
    const origin = inclusion['checkpoint'].split('\n', 1)[0]!;
    const [index, size] = [Number(inclusion['leafIndex']), Number(inclusion['treeSize'])];
    if (!(index >= 0 && size > index && size <= LARGEST_TREE)) continue;
    const chain = chains.get(origin) ?? { origin, leaves: [], parts: [] };
    chains.set(origin, chain);
    for (let i = chain.leaves.length; i < size; i++) chain.leaves.push(leafHash(sha256(`${origin} ${i}`)));
    chain.parts.push({ part, index });
  }
  const notes: string[] = [];
  for (const { origin, leaves, parts } of chains.values()) {
    for (const { part, index } of parts)
      leaves[index] = leafHash(Buffer.from(recordHash(part.record), 'hex'));
    const checkpoint = sign(origin, leaves, signing);
    notes.push(checkpoint);
    for (const { part, index } of parts) part['inclusion'] = inclusionOf(index, leaves, checkpoint);
  }
  const logged = notes.map((note) => leafHash(Buffer.from(note)));
  for (const [place, { origin, parts }] of [...chains.values()].entries()) {
    const head = await cosigned(sign(`${origin.split('/')[0]}/log`, logged, signing), signing.cosignedAt);
    for (const { part } of parts)
      if (Object.hasOwn(part, 'head')) part['head'] = inclusionOf(place, logged, head);
  }
}

const inclusionOf = (leafIndex: number, leaves: Uint8Array[], checkpoint: string) => ({
  leafIndex,
  treeSize: leaves.length,
  hashes: path(leafIndex, leaves).map((hash) => Buffer.from(hash).toString('hex')),
  checkpoint,
});

function root(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  const split = splitOf(leaves.length);
  return nodeHash(root(leaves.slice(0, split)), root(leaves.slice(split)));
}

function path(index: number, leaves: Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split ? [...path(index, left), root(right)] : [...path(index - split, right), root(left)];
}

const splitOf = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

function sign(origin: string, leaves: Uint8Array[], { signers }: Signing): string {
  const text = `${origin}\n${leaves.length}\n${Buffer.from(root(leaves)).toString('base64')}\n`;
  const keys = signers === 'service' ? serviceSigners : [strangerSigner];
  const name = origin.split('/')[0]!;
  const lines = keys.map(({ publicKey, sign: by }) =>
    signatureLine(name, noteKeyIdBytes({ name, publicKey }), by(Buffer.from(text))),
  );
  return `${text}\n${lines.join('')}`;
}

async function cosigned(note: string, times: readonly number[]): Promise<string> {
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  let all = note;
  for (const [i, time] of times.entries()) {
    const { key, signer } = witnesses[i]!;
    all += await cosign(text, time, key, signer.sign);
  }
  return all;
}

/** Updates the readable part to match the content. */
export function showAgain(document: Tree): void {
  const { evidence, record, disclosures, verification, outcome, erased } = document as unknown as {
    evidence: Tree;
    record: { content: string; timestamp: string };
    disclosures: string[];
    verification: { verifyUrl: string };
    outcome?: { record: { content: string; timestamp: string } } & Tree;
    erased?: Tree[];
  };
  if (isTree(outcome)) {
    const { status } = JSON.parse(outcome.record.content);
    Object.assign(outcome, { status, recordedAt: outcome.record.timestamp });
  }
  for (const entry of erased ?? []) {
    const { journal } = entry as { journal?: { record: { content: string; timestamp: string } } };
    if (journal)
      Object.assign(entry, {
        at: journal.record.timestamp,
        reason: JSON.parse(journal.record.content).reason,
      });
  }
  const { id, chain } = evidence as { id: string; chain: { index: number } };
  const place = { verifyUrl: verification.verifyUrl, index: chain.index, timestamp: record.timestamp };
  const approvals = (evidence['approvals'] ?? [evidence['approval']]) as { credential?: Credential }[];
  const credentials = approvals.map((approval) => approval?.credential);
  const shown = Object.hasOwn(document, 'kind')
    ? showRejection(discloseRejection(record.content, disclosures), place, credentials[0])
    : showDecision(disclose(record.content, disclosures), place, credentials);
  document['evidence'] = { ...JSON.parse(JSON.stringify(shown)), id, chain };
}

/** Writes the hash of the record wherever it occurs. */
export function followHash(document: Tree): void {
  const { evidence, verification, record } = document as {
    evidence: { chain: Tree };
    verification: Tree;
    record: { content: string; previousHash: string; timestamp: string };
  };
  const hash = `sha256:${recordHash(record)}`;
  const previousHash = record.previousHash === '' ? null : `sha256:${record.previousHash}`;
  Object.assign(evidence.chain, { hash, previousHash });
  Object.assign(verification, { chainHash: hash, previousHash });
}
