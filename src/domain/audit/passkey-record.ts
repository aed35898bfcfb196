// Passkey changes on the platform's audit chain. Exports of signed approvals carry these records, so the person and the entry
// are sealed by salted digests. Only the key and the kind of change are public.
import { canonicalJson, type JsonValue } from '@countersign/proof-kit/canonical';
import { disclosureDigest, makeDisclosure } from '@countersign/proof-kit/disclosure';
import { HASH_PREFIX } from '@countersign/proof-kit/record';
import { newSalt } from '../../lib/seal-tools.ts';

export interface PasskeySalts {
  by: string;
  entry: string;
}

/** The parts of a passkey entry that its record contains. The actor is the owner of the passkey. */
interface PasskeyFacts {
  centerId: number | null;
  actorId: string | null;
  detail: { change?: unknown; kind?: unknown; fingerprint?: unknown };
}

/** The salts of an entry; null for every entry that is hashed in plain text. */
export function saltsFor({ centerId, detail }: PasskeyFacts): PasskeySalts | null {
  return centerId === null && detail.kind === 'passkey' ? { by: newSalt(), entry: newSalt() } : null;
}

/** The disclosure of the passkey's owner. */
export function ownerDisclosure({ by }: PasskeySalts, actorId: string): string {
  return makeDisclosure(by, 'id', actorId);
}

/** The exact text that is hashed, from the whole entry: a changed column gives a different text. */
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
