/** Whether the passkeys that signed were registered for the people who approved, before they approved. */

import { fromBase64Url, toHex } from './bytes.ts';
import { chainOriginOf, NO_CENTER } from './checkpoint.ts';
import { requireCovered } from './considered.ts';
import type { JournalSize } from './decision.ts';
import type { ShownApproval } from './disclose.ts';
import { digest, id, listOf, objectOf, oneOf, prefixedHash, text } from './form.ts';
import { groupBy } from './group-by.ts';
import type { AttachedRecord } from './proof-document.ts';
import { HASH_PREFIX } from './record.ts';
import { DisclosureSet, open, Refutation, readContent } from './sealed-content.ts';
import { sha256 } from './sha256.ts';
import type { Trust } from './trust.ts';
import type { LogCheck } from './verify-log.ts';

const sealedMember = objectOf({ _sd: listOf(digest, 1, 1) });

const passkeyForm = objectOf({
  kind: oneOf('passkey'),
  change: oneOf('registered', 'removed'),
  fingerprint: prefixedHash,
  by: sealedMember,
  entry: sealedMember,
  _sd_alg: oneOf('sha-256'),
});

interface PasskeyEntry {
  change: 'registered' | 'removed';
  fingerprint: string;
  person: string | undefined;
  at: string;
}

/** `sha256:` and the hex digest of the SPKI key, which identifies a passkey on the audit chain. */
export function passkeyFingerprint(spki: Uint8Array): string {
  return HASH_PREFIX + toHex(sha256(spki));
}

function readEntry({ record, disclosures }: AttachedRecord, place: string): PasskeyEntry {
  const content = readContent(record.content, `${place}.record.content`, 'passkey', passkeyForm);
  const set = new DisclosureSet(disclosures, `${place}.disclosures`);
  const ofBy = open(content.by, [{ name: 'id', form: id, presence: 'always' }], 'credentials.by.', set);
  open(content.entry, [{ name: 'facts', form: text, presence: 'always' }], 'credentials.entry.', set);
  set.requireAllUsed();
  const { change, fingerprint } = content;
  return { change, fingerprint, person: ofBy.shown['id'] as string | undefined, at: record.timestamp };
}

export interface PasskeyAge {
  /** `approvals[0]`, or `approval` in a rejection. */
  what: string;
  place: number;
  hours: number;
}

const HOUR_MS = 3_600_000;

/**
 * Throws a Refutation for a passkey that could not approve. Returns the ages of those whose registration is shown, and what is
 * withheld.
 */
export async function checkCredentials(
  attached: readonly AttachedRecord[],
  approvals: readonly ShownApproval[],
  {
    service,
    trust,
    log,
    journals,
  }: {
    service: string;
    trust: Trust;
    log: LogCheck;
    journals?: readonly JournalSize[] | undefined;
  },
  nameOf: (i: number) => string,
): Promise<{ ages: PasskeyAge[]; withheld: string[] }> {
  const entries: PasskeyEntry[] = [];
  const audit = chainOriginOf(service, NO_CENTER, 'audit');
  for (const [i, each] of attached.entries()) {
    const place = `credentials[${i}]`;
    entries.push(readEntry(each, place));
    await log.attached(place, each, (origin) => origin === audit);
    requireCovered(each, place, journals, audit);
  }
  const byKey = groupBy(entries, ({ fingerprint }) => fingerprint);
  const used = new Set<string>();
  const ages: PasskeyAge[] = [];
  let isMissing = false;
  for (const [i, { by, signature, approvedAt }] of approvals.entries()) {
    if (signature === undefined) continue;
    const fingerprint = passkeyFingerprint(fromBase64Url(signature.publicKey));
    used.add(fingerprint);
    checkPin(by.id, fingerprint, trust, nameOf(i));
    const known = byKey.get(fingerprint) ?? [];
    const registered = registrationFor(known, { id: by.id, approvedAt }, nameOf(i));
    if (registered === null) isMissing = true;
    else {
      const age = Date.parse(approvedAt) - Date.parse(registered.at);
      ages.push({ what: nameOf(i), place: i, hours: Math.floor(age / HOUR_MS) });
    }
  }
  entries.forEach(({ fingerprint }, i) => {
    if (!used.has(fingerprint))
      throw new Refutation(`credentials[${i}] is of a passkey that signed nothing here`);
  });
  if (isMissing) log.missing.push('registration of a passkey');
  const isWithheld = entries.some(({ person }) => person === undefined);
  return { ages, withheld: isWithheld ? ['credentials.by.id'] : [] };
}

function checkPin(
  person: string | undefined,
  fingerprint: string,
  { people = {} }: Trust,
  what: string,
): void {
  if (person === undefined || !Object.hasOwn(people, person)) return;
  if (!people[person]!.includes(fingerprint))
    throw new Refutation(`the passkey of ${what} is not one of those pinned for ${person}`);
}

/** The registration that was in force at the time of the approval; null if none is shown. */
function registrationFor(
  entries: readonly PasskeyEntry[],
  { id: person, approvedAt }: { id: string | undefined; approvedAt: string },
  what: string,
): PasskeyEntry | null {
  const isRegistration = ({ change }: PasskeyEntry) => change === 'registered';
  if (!entries.some(isRegistration)) return null;
  const before = entries.filter(({ at }) => at < approvedAt);
  if (!before.some(isRegistration))
    throw new Refutation(`the passkey of ${what} was registered after the approval`);
  const last = before.reduce((latest, entry) => (entry.at >= latest.at ? entry : latest));
  if (!isRegistration(last)) throw new Refutation(`the passkey of ${what} was removed before the approval`);
  if (last.person !== undefined && person !== undefined && last.person !== person)
    throw new Refutation(`the passkey of ${what} is registered for somebody else`);
  return last;
}
