import { flags, readArguments, texts, UsageError } from '@countersign/auditor/arguments';
import type { App } from '../../app.ts';
import { type AcceptedClosing, acceptLoss, inspectLoss } from '../../domain/ledger/recovery/accept-loss.ts';
import { type Inspected, type Inspection, isAffected } from '../../domain/ledger/recovery/inspect.ts';

export const USAGE = `Compares the signed history with the database, and accepts a loss.

  npm run recover -- inspect [--json]
  npm run recover -- accept-loss --reason TEXT [--json]

  inspect       lists each chain and the head log: the largest size that the checkpoint file in DATA_DIR, the database,
                another process or a witness knows to be signed, and the size that is there
  accept-loss   writes a journal record of kind "loss" for each affected chain and for the log, closes the log with its
                last known head and starts the next one. Signing and sealing resume. It cannot be undone: first try to
                restore the server that has the missing records

Run it on a machine whose DATA_DIR has signed. Exit code 0: nothing is missing, or the loss was accepted. 1: inspect
found a loss. 2: wrong usage, or the state is unknown.
`;

type ParsedCommand = { json: boolean } & ({ verb: 'inspect' } | { verb: 'accept-loss'; reason: string });

export function parseCommand(args: string[]): ParsedCommand | 'help' {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { ...texts('reason'), ...flags('json') },
  });
  if (values.help) return 'help';
  const [verb, ...rest] = positionals;
  const json = values.json ?? false;
  if (verb === 'inspect' && rest.length === 0) return { verb, json };
  if (verb === 'accept-loss' && rest.length === 0) {
    const reason = values.reason?.trim();
    if (!reason) throw new UsageError('accept-loss needs --reason TEXT.');
    return { verb, reason, json };
  }
  throw new UsageError('Use inspect or accept-loss --reason TEXT.');
}

/** The output of the command and its exit code. */
export async function execute(app: App, command: ParsedCommand): Promise<{ text: string; code: 0 | 1 }> {
  if (command.verb === 'inspect') {
    const inspection = await inspectLoss(app);
    const text = command.json ? printJson(inspectionJson(inspection)) : printInspection(inspection);
    return { text, code: isAffected(inspection) ? 1 : 0 };
  }
  const accepted = await acceptLoss(app, command.reason);
  if (command.json)
    return { text: printJson(accepted && { ...accepted.closing, digest: accepted.digest }), code: 0 };
  return { text: accepted ? printAccepted(accepted) : 'Nothing is missing.\n', code: 0 };
}

const printJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function inspectionJson(inspection: Inspection): object {
  const { log, chains, findings } = inspection;
  return { lost: isAffected(inspection), log, chains, findings };
}

function printLine({ origin, signedSize, presentSize, fault }: Inspected): string {
  const state = fault === null ? 'complete' : `LOST: ${fault}`;
  return `${origin}  signed ${signedSize}  present ${presentSize}  ${state}\n`;
}

function printInspection(inspection: Inspection): string {
  const { log, chains, findings } = inspection;
  const lines = [log, ...chains].map(printLine).join('');
  const reports = findings.map(({ source, message }) => `reported by ${source}: ${message}\n`).join('');
  const verdict = isAffected(inspection)
    ? 'Signed history is missing: nothing is sealed or signed until it is back or the loss is accepted.\n'
    : 'Nothing is missing.\n';
  return lines + reports + verdict;
}

function printAccepted({ closing, digest, log, successor, isWhole }: AcceptedClosing): string {
  const of = (what: string, signed: number, present: number) =>
    `${what}: ${signed} were signed, ${present} are there\n`;
  return [
    of(log.origin, log.signedSize, log.presentSize),
    ...closing.statement.chains.map(({ origin, signed, present }) => of(origin, signed, present)),
    isWhole ? '' : `${log.origin} cannot be read to its last head: its last entries are in no file here.\n`,
    `The loss is accepted and on the journals. ${successor} follows ${log.origin}.\n`,
    `The digest of the statement is ${digest}.\n`,
    'Give it to the operators of your witnesses and monitors, with the reason: they accept the new log by it.\n',
    'Restart processes that do not resume within a minute.\n',
  ].join('');
}
