/** Documents for both verifiers: genuine ones, changed at random and, in most cases, sealed again. */
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { noteKeyId } from '@countersign/proof-kit/vkey';
import { strangerSigner } from '../../scripts/vectors/genuine.ts';
import { mutateAttached } from './attached.ts';
import { fold, holdersOf, isTree, type Tree, unfold } from './expand.ts';
import { mutateText, mutateTree } from './mutate.ts';
import type { Random } from './random.ts';
import { buildLog, followHash, showAgain, signApprovals } from './seal.ts';

export interface Case {
  bytes: Uint8Array;
  /** The document that was changed. */
  base: Tree;
  /** The service itself signed the changed content, so it may be proven. */
  isSignedByService: boolean;
  /** An attached record was left out, and nothing else changed, so it must not be proven. */
  isIncomplete: boolean;
}

const unsigned = { isSignedByService: false, isIncomplete: false };

const write = (document: unknown): Uint8Array => Buffer.from(JSON.stringify(document));

/** Sealed values: contents of records, and the values of disclosures. */
function sealedParts(tree: Tree): unknown[] {
  const contents = holdersOf(tree, 'content').map(({ content }) => content);
  const values = holdersOf(tree, 'parts').flatMap(({ parts }) => (Array.isArray(parts) ? [parts[2]] : []));
  return [...contents, ...contents, ...values].filter((part) => typeof part === 'object' && part !== null);
}

export async function makeCase(genuine: readonly Tree[], random: Random): Promise<Case> {
  const base = random.pick(genuine);
  const choice = random.next();
  if (choice < 0.15) return { ...unsigned, bytes: mutateText(JSON.stringify(base), random), base };
  if (choice < 0.4) {
    const changed = structuredClone(base);
    for (let i = random.below(3); i >= 0; i--) mutateTree(changed, random);
    return { ...unsigned, bytes: write(changed), base };
  }
  if (choice < 0.6) {
    const changed = unfold(base);
    const isIncomplete = mutateAttached(changed, genuine.map(unfold), random);
    await sealAgain(changed, random, true);
    return { bytes: write(changed), base, isSignedByService: true, isIncomplete };
  }
  const tree = unfold(base);
  const parts = sealedParts(tree);
  for (let i = random.below(3); i >= 0; i--)
    mutateTree(parts.length > 0 && random.chance(0.8) ? random.pick(parts) : tree, random);
  const isSignedByService = random.chance(0.8);
  await sealAgain(tree, random, isSignedByService);
  return { bytes: write(tree), base, isSignedByService, isIncomplete: false };
}

/** Each step separately: a change may leave nothing for one of them to work on. */
async function sealAgain(document: Tree, random: Random, isSignedByService: boolean): Promise<void> {
  const nested = document['mandateProof'];
  if (isTree(nested)) await sealAgain(nested, random, isSignedByService);
  const cosignedAt = Array.from(
    { length: random.pick([2, 2, 3]) },
    () => Date.UTC(2026, 1, 1, 8) / 1000 + random.pick([0, 0, 0, 0, 60, -86_400, 86_400]),
  );
  const signers = isSignedByService ? 'service' : 'stranger';
  const steps: (() => void | Promise<void>)[] = [
    () => fold(document, { followsDigests: random.chance(0.95) }),
    () => signApprovals(document['record'] as Tree, document['disclosures'] as string[]),
    () => showAgain(document),
    () => followHash(document),
    () => (isSignedByService ? undefined : nameStranger(document)),
    () => buildLog(document, { signers, cosignedAt }),
  ];
  for (const [i, step] of steps.entries()) {
    if (i > 0 && random.chance(0.03)) continue;
    try {
      await step();
    } catch {
      // The document is tested unchanged.
    }
  }
}

function nameStranger(document: Tree): void {
  const { publicKey } = document;
  if (!isTree(publicKey) || typeof publicKey['name'] !== 'string') return;
  publicKey['keyId'] = noteKeyId({ name: publicKey['name'], publicKey: strangerSigner.publicKey });
  publicKey['publicKey'] = Buffer.from(strangerSigner.publicKey).toString('base64');
}

/** The content of a document besides its labels: a proven forgery must still say the same. */
export function statement(document: Tree): string {
  const copy = structuredClone(document);
  for (const holder of holdersOf(copy, 'credential')) delete holder['credential'];
  const { evidence, record, disclosures } = copy as { evidence: Tree; record: Tree; disclosures?: string[] };
  delete evidence['id'];
  if (!Object.hasOwn(evidence, 'event'))
    for (const name of ['evidenceLevel', 'status', 'sealedAt']) delete evidence[name];
  return canonicalJson({ evidence, record, disclosures: [...(disclosures ?? [])].sort() });
}
