import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { compareProofs } from '../../proof-kit/compare-proofs.ts';
import { printable } from '../../proof-kit/printable.ts';
import type { Trust } from '../../proof-kit/trust.ts';
import type { Verdict } from '../../proof-kit/verdict.ts';
import { type ProofVerdict, verifyProof } from '../../proof-kit/verify-proof.ts';
import { readState, remember, rememberedIn, writeState } from './state.ts';

export interface FileVerdict {
  /** As it was named. */
  file: string;
  verdict: Verdict;
  reason: string;
}

/** Proofs in files, each judged by itself and then held against the others and against what is remembered. */
export async function verifyFiles(
  files: readonly string[],
  trust: Trust,
  { folder, statePath }: { folder: string; statePath?: string | undefined },
): Promise<FileVerdict[]> {
  const state = statePath === undefined ? null : await readState(statePath);
  const proofs = [];
  for (const name of files) proofs.push({ name, verdict: await verifyFile(resolve(folder, name), trust) });
  const compared = compareProofs(proofs, state ? rememberedIn(state) : []);
  if (state) {
    const judged = proofs.map(({ name, verdict: { claims } }, i) => {
      const { verdict } = compared[i]!;
      return {
        name,
        claims,
        contradiction: claims !== null && verdict.claims === null ? verdict.reason : null,
      };
    });
    await writeState(statePath!, remember(state, judged));
  }
  return compared.map(({ name, verdict: { verdict, reason } }) => ({
    file: printable(name),
    verdict,
    reason: printable(reason),
  }));
}

async function verifyFile(path: string, trust: Trust): Promise<ProofVerdict> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return unreadable('there is no such file');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unreadable('it is not UTF-8 text');
  }
  return verifyProof(text, trust);
}

function unreadable(reason: string): ProofVerdict {
  return { verdict: 'unreadable', reason, steps: [], claims: null, document: null };
}

export function printFiles(verdicts: readonly FileVerdict[], asJson: boolean): string {
  if (asJson) return `${JSON.stringify(verdicts, null, 2)}\n`;
  return verdicts.map(({ file, verdict, reason }) => `${file}: ${verdict}: ${reason}\n`).join('');
}

const CODES: Record<Verdict, number> = { proven: 0, refuted: 1, unreadable: 2, consistent: 3, partial: 3 };

/** The worst, in the order in which it matters. */
export function exitCodeOf(verdicts: readonly FileVerdict[]): number {
  const codes = verdicts.map(({ verdict }) => CODES[verdict]);
  return [1, 2, 3].find((code) => codes.includes(code)) ?? 0;
}
