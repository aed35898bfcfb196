import { readFile } from 'node:fs/promises';
import { parseWitnessKey, type Trust, type TrustedServiceKey } from '@countersign/proof-kit';
import { UsageError } from '../arguments.ts';
import { parseOrNull } from '../state-file.ts';

/** The caller's trust settings: the keys of services, a quorum of witnesses, and the passkeys of people. */
export async function trustOf(
  keys: TrustedServiceKey[] | undefined,
  target: { witnesses: string[]; quorum: string | undefined; peoplePath?: string | undefined },
): Promise<Trust> {
  const witnesses = target.witnesses.map((line) => {
    try {
      return parseWitnessKey(line);
    } catch {
      throw new UsageError(`--witness ${line}: not a verifier key`);
    }
  });
  const people = target.peoplePath === undefined ? undefined : await readPeople(target.peoplePath);
  const now = new Date().toISOString();
  const trust: Trust = { ...(keys && { keys }), witnesses, ...(people && { people }), now };
  if (target.quorum === undefined) return trust;
  if (!/^\d{1,4}$/.test(target.quorum)) throw new UsageError(`--quorum ${target.quorum}: not a number`);
  const quorum = Number(target.quorum);
  const different = new Set(witnesses.map(({ publicKey }) => publicKey.join()));
  if (quorum > different.size) throw new UsageError(`--quorum ${quorum}: more than the witnesses named`);
  return { ...trust, quorum };
}

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

async function readPeople(path: string): Promise<Record<string, string[]>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--people ${path}: cannot be read (${error.code})`);
  });
  const people = parseOrNull(text);
  const isPeople =
    typeof people === 'object' &&
    people !== null &&
    !Array.isArray(people) &&
    Object.values(people).every(
      (prints) => Array.isArray(prints) && prints.every((print) => FINGERPRINT.test(String(print))),
    );
  if (!isPeople) throw new UsageError(`--people ${path}: must be {"<id>": ["sha256:<64 hex digits>", …]}`);
  return people as Record<string, string[]>;
}
