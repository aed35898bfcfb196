import type { TrustedKey } from '@countersign/proof-kit';
import type { Trust } from '@countersign/proof-kit/trust';
import { exitCodeOf, printFiles, verifyFiles } from './files.ts';
import { asText, collectKeys, publishedBy } from './keys.ts';
import type { DatabaseTarget, Options } from './options.ts';
import { verifyReceipts } from './receipts.ts';
import { printReports, type Report } from './report.ts';
import { verifyServer } from './server.ts';
import { trustOf } from './trust.ts';

export interface Answer {
  text: string;
  code: number;
}

/** Functions that only the service provides. */
interface ServiceAbilities {
  /** Walks the chains of a database. */
  walkDatabase(target: DatabaseTarget, trusted: TrustedKey[] | undefined): Promise<Report[]>;
  /** Evaluates the conditions of mandates; without it they cannot be checked. */
  evaluateCondition: NonNullable<Trust['evaluateCondition']>;
}

/** The result and the exit code. */
export async function runVerify(
  { target, json, ...named }: Options,
  service?: ServiceAbilities,
): Promise<Answer> {
  const keys = await collectKeys(named);
  if (target.kind === 'files') {
    const trust = {
      ...(await trustOf(keys, target)),
      ...(service && { evaluateCondition: service.evaluateCondition }),
    };
    const verdicts = await verifyFiles(target.files, trust, target);
    return { text: printFiles(verdicts, json), code: exitCodeOf(verdicts) };
  }
  if (target.kind === 'receipts') {
    const trust = await trustOf(keys ?? (await publishedBy(target.url)), target);
    const verdicts = await verifyReceipts(target, trust);
    return { text: printFiles(verdicts, json), code: exitCodeOf(verdicts) };
  }
  const trusted = keys?.map(asText);
  const reports =
    target.kind === 'database'
      ? await service!.walkDatabase(target, trusted)
      : await verifyServer(target, trusted);
  return { text: printReports(reports, json), code: reports.every(({ ok }) => ok) ? 0 : 1 };
}
