import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compareProofs } from '@countersign/proof-kit/compare-proofs';
import { printable } from '@countersign/proof-kit/printable';
import type { Trust } from '@countersign/proof-kit/trust';
import type { Verdict } from '@countersign/proof-kit/verdict';
import { verifyProofBytes } from '@countersign/proof-kit/verify-proof';
import { NO_LACKS, type ProofVerdict } from '@countersign/proof-kit/verify-steps';
import type { ReceiptVerdict } from './receipts.ts';
import { proofsInState, readState, recordProofs, writeState } from './state.ts';

interface FileVerdict {
  /** The name given by the caller. */
  file: string;
  verdict: Verdict;
  reason: string;
}

/** Verifies proofs in files, each by itself and then against the others and against the stored state. */
export async function verifyFiles(
  files: readonly string[],
  trust: Trust,
  { folder, statePath }: { folder: string; statePath?: string | undefined },
): Promise<FileVerdict[]> {
  const state = statePath === undefined ? null : await readState(statePath);
  const proofs = [];
  for (const name of files) proofs.push({ name, verdict: await verifyFile(resolve(folder, name), trust) });
  const compared = compareProofs(proofs, state ? proofsInState(state) : []);
  if (state) {
    const results = proofs.map(({ name, verdict: { claims } }, i) => {
      const { verdict } = compared[i]!;
      return {
        name,
        claims,
        contradiction: claims !== null && verdict.claims === null ? verdict.reason : null,
      };
    });
    await writeState(statePath!, recordProofs(state, results));
  }
  return compared.map(({ name, verdict: { verdict, reason } }) => ({
    file: printable(name),
    verdict,
    reason: printable(reason),
  }));
}

async function verifyFile(path: string, trust: Trust): Promise<ProofVerdict> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes) return verifyProofBytes(bytes, trust);
  return {
    verdict: 'unreadable',
    reason: 'there is no such file',
    steps: [],
    lacks: NO_LACKS,
    claims: null,
    document: null,
  };
}

export function printFiles(
  verdicts: readonly { file: string; verdict: string; reason: string }[],
  asJson: boolean,
): string {
  if (asJson) return `${JSON.stringify(verdicts, null, 2)}\n`;
  return verdicts.map(({ file, verdict, reason }) => `${file}: ${verdict}: ${reason}\n`).join('');
}

const CODES: Record<Verdict | ReceiptVerdict, number> = {
  proven: 0,
  kept: 0,
  refuted: 1,
  broken: 1,
  lost: 1,
  unreadable: 2,
  consistent: 3,
  partial: 3,
  pending: 3,
};

/** The worst verdict, in order of severity. */
export function exitCodeOf(verdicts: readonly { verdict: Verdict | ReceiptVerdict }[]): number {
  const codes = verdicts.map(({ verdict }) => CODES[verdict]);
  return [1, 2, 3].find((code) => codes.includes(code)) ?? 0;
}
