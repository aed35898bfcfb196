import { parseWitnessKey, type Trust, type TrustedServiceKey } from '../../proof-kit/index.ts';
import { UsageError } from '../usage-error.ts';
import type { FilesTarget } from './options.ts';

/** Whom the caller trusts: the keys of services, and a quorum of witnesses. */
export function trustOf(keys: TrustedServiceKey[] | undefined, target: FilesTarget): Trust {
  const witnesses = target.witnesses.map((line) => {
    try {
      return parseWitnessKey(line);
    } catch {
      throw new UsageError(`--witness ${line}: not a verifier key`);
    }
  });
  const trust: Trust = { ...(keys && { keys }), witnesses };
  if (target.quorum === undefined) return trust;
  if (!/^\d{1,4}$/.test(target.quorum)) throw new UsageError(`--quorum ${target.quorum}: not a number`);
  const quorum = Number(target.quorum);
  const different = new Set(witnesses.map(({ name, publicKey }) => `${name} ${publicKey.join()}`));
  if (quorum > different.size) throw new UsageError(`--quorum ${quorum}: more than the witnesses named`);
  return { ...trust, quorum };
}
