// Changes of passkeys on the platform's audit chain. Exports of signed approvals carry these records, so the person and the
// entry are sealed by salted digests: only the key and what became of it stand in the open.
import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { disclosureDigest, makeDisclosure } from '@countersign/proof-kit/disclosure';
import { HASH_PREFIX } from '@countersign/proof-kit/record';
import { newSalt } from '../../lib/salt.ts';

export interface PasskeySalts {
  by: string;
  entry: string;
}

/** An entry about a passkey, as far as its record names it. The actor is the owner of the passkey. */
interface PasskeyFacts {
  centerId: number | null;
  actorId: string | null;
  detail: { change?: unknown; kind?: unknown; fingerprint?: unknown };
}

/** The salts of an entry; null for every entry that is hashed as it is. */
export function saltsFor({ centerId, detail }: PasskeyFacts): PasskeySalts | null {
  return centerId === null && detail.kind === 'passkey' ? { by: newSalt(), entry: newSalt() } : null;
}

/** The text that discloses the owner of the passkey. */
export function ownerDisclosure({ by }: PasskeySalts, actorId: string): string {
  return makeDisclosure(by, 'id', actorId);
}

/** The exact text that is hashed, from the whole entry: a changed column gives another one. */
export function passkeyText(facts: PasskeyFacts, salts: PasskeySalts): string {
  const { change, fingerprint } = facts.detail;
  const owner = ownerDisclosure(salts, facts.actorId ?? '');
  const entry = makeDisclosure(salts.entry, 'facts', facts as unknown as JsonValue);
  return canonicalJson({
    kind: 'passkey',
    change: change as JsonValue,
    fingerprint: `${HASH_PREFIX}${fingerprint}`,
    by: { _sd: [disclosureDigest(owner)] },
    entry: { _sd: [disclosureDigest(entry)] },
    _sd_alg: 'sha-256',
  });
}
