/** The statements that closed the logs before the one of a document: all of them, in order, signed by the service. */
import { toHex } from './bytes.ts';
import { numberedLogOrigin, parseCheckpoint } from './checkpoint.ts';
import { closingDigest, isStatementOf, type LogClosing, parseClosingNote } from './log-closing.ts';
import type { OwnHead } from './proof-form.ts';
import { Refutation } from './sealed-content.ts';
import { type LogCheck, logNumberOf } from './verify-log.ts';

/** A statement by its digest, with what it says about chains. */
export type DeclaredClosing = Pick<LogClosing, 'service' | 'log' | 'at' | 'chains'> & { digest: string };

/** None if the document shows none, which is noted as missing. */
export async function checkClosings(
  head: OwnHead,
  service: string,
  log: LogCheck,
): Promise<DeclaredClosing[]> {
  if (head.closings === undefined) {
    log.missing.push('head.closings');
    return [];
  }
  const number = logNumberOf(head)!;
  const declared: DeclaredClosing[] = [];
  for (const [i, { note: text, statement }] of head.closings.entries()) {
    const what = `head.closings[${i}]`;
    const closing = parseClosingNote(text);
    if (closing?.service !== service)
      throw new Refutation(`${what}.note is no closing of a log of ${service}`);
    if (closing.log !== i + 1 || closing.next > number)
      throw new Refutation(`${what} closes ${numberedLogOrigin(service, closing.log)}`);
    if (!isStatementOf(closing, statement))
      throw new Refutation(`${what}.statement is not the one that was signed`);
    const { note, at, size, root } = closing;
    const signed = await log.attempt(() =>
      log.signedBy({ note, parts: { service } }, text, `${what}.note`, false),
    );
    // A key that was retired later counts. The head commits the service to this statement.
    if (signed && signed.length > 0) log.noteSigner(signed, { quorumAt: Date.parse(at) });
    // The statement commits the service to the last head of the closed log as well.
    const origin = numberedLogOrigin(service, i + 1);
    log.checkpoints.push({ origin, size, root: toHex(root), note: text });
    declared.push({ service, log: i + 1, at, digest: closingDigest(note), chains: statement.chains });
  }
  if (declared.length !== number - 1)
    throw new Refutation(`head.closings does not lead to ${parseCheckpoint(head.checkpoint).origin}`);
  return declared;
}
