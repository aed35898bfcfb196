import { readArguments, texts, UsageError } from '@countersign/auditor/arguments';
import { type HistoricKey, serviceName } from '@countersign/proof-kit';
import type { App } from '../../app.ts';
import { replaceLostKey, retireKey, rotateKeys } from '../../domain/ledger/keys/change.ts';
import { readKeyring } from '../../domain/ledger/keys/ring.ts';
import { SigningRefused } from '../../domain/ledger/notes/faults.ts';
import { signDueChains } from '../../domain/ledger/signing/round.ts';
import { signingRefusal } from '../../domain/ledger/signing/state.ts';

export const USAGE = `Manages the keys that sign checkpoints. Their history is in DATA_DIR/signing-keys.log.

  npm run signing-keys -- list
  npm run signing-keys -- rotate [--overlap DAYS]     adds a key; both sign during the overlap (default: 30 days)
  npm run signing-keys -- retire KEYID                retires a key at once; another key must remain
  npm run signing-keys -- replace --lost REASON       replaces a lost key. The old key cannot vouch for the
                                                      new one: publish it to verifiers in another way

Exit code 0: success, and signing works. 1: refused, or signing has stopped.
`;

type ParsedCommand = (app: App) => Promise<HistoricKey[]>;

export function parseCommand(args: string[]): ParsedCommand | 'help' {
  const options = texts('overlap', 'lost');
  const { values, positionals } = readArguments({ args, allowPositionals: true, options });
  const [verb, ...rest] = positionals;
  if (values.help) return 'help';
  if (verb === 'list' && rest.length === 0) return async (app) => (await readKeyring(app)).keys;
  if (verb === 'rotate' && rest.length === 0) {
    const days = values.overlap ?? '30';
    if (!/^\d{1,4}(\.\d+)?$/.test(days)) throw new UsageError('--overlap takes a number of days.');
    return (app) => rotateKeys(app, Number(days));
  }
  if (verb === 'retire' && rest.length === 1) return (app) => retireKey(app, rest[0]!);
  if (verb === 'replace' && rest.length === 0 && values.lost !== undefined) {
    const reason = values.lost;
    return (app) => replaceLostKey(app, serviceName(app.config.publicUrl), reason);
  }
  throw new UsageError('Say list, rotate, retire KEYID or replace --lost REASON.');
}

function printed(keys: HistoricKey[]): string {
  const now = new Date().toISOString();
  const lines = keys.map(({ vkey, keyId, from, until, signedBy, vouched }) => {
    const state = until === null ? 'signs' : until > now ? `signs until ${until}` : `retired ${until}`;
    const by = vouched ? `signed in by ${signedBy}` : 'not vouched for';
    return `${keyId}  from ${from}  ${state}  ${by}\n          ${vkey}`;
  });
  return `${lines.join('\n') || 'No keys yet. The first is created with the first signature.'}\n`;
}

/** A refusal is stored as the signing state, which is printed. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof SigningRefused)) throw error;
}

/** The output of the command and its exit code. */
export async function execute(
  app: App,
  command: ParsedCommand,
): Promise<{ out: string; err: string; code: 0 | 1 }> {
  const before = (await readKeyring(app)).keys;
  const keys = await command(app);
  const out = printed(keys);
  // The next head is signed by the current keys: monitors accept no new head signed by a retired key.
  if (JSON.stringify(keys) !== JSON.stringify(before)) await signDueChains(app).catch(ignoreRefusal);
  const refused = await signingRefusal(app);
  if (refused === null) return { out, err: '', code: 0 };
  return { out, err: `Not everything is signed at present: ${refused}\n`, code: 1 };
}
