/**
 * What a seal says about the chains that decided: from which of them policies, groups and passkeys were read, and how large each
 * was then. A record that decided lies below that size.
 */
import { chainOriginOf, NO_CENTER } from './checkpoint.ts';
import type { JournalSize, SealedDecision } from './decision.ts';
import type { AttachedRecord } from './proof-form.ts';
import { Refutation } from './sealed-content.ts';

/** The chains that decide: the journals of the center and of the platform, and the audit chain of passkeys if one signed. */
export function decidingChains({
  service,
  center,
  approvals,
}: Pick<SealedDecision, 'service' | 'center' | 'approvals'>): {
  own: string;
  platform: string;
  passkeys: string | null;
} {
  const origin = (centerId: number, domain: string) => chainOriginOf(service, centerId, domain);
  const isSigned = approvals.some(({ by }) => by.kind === 'passkey');
  return {
    own: origin(center.id, 'journal'),
    platform: origin(NO_CENTER, 'journal'),
    passkeys: isSigned ? origin(NO_CENTER, 'audit') : null,
  };
}

/** Throws a Refutation unless the seal names exactly the chains that decide. Decisions sealed before format 4 name none. */
export function checkJournals(content: SealedDecision): void {
  const { journals } = content.policy;
  if (!journals) return;
  const { own, platform, passkeys } = decidingChains(content);
  const expected = [own, platform, ...(passkeys === null ? [] : [passkeys])];
  const missing = expected.find((origin) => !journals.some((each) => each.origin === origin));
  if (missing !== undefined) throw new Refutation(`policy.journals does not name ${missing}`);
  const other = journals.find(({ origin }) => !expected.includes(origin));
  if (other) throw new Refutation(`policy.journals names ${other.origin}, which does not decide`);
}

/** Throws a Refutation for an attached record that is not below the size at which its chain was read. */
export function requireCovered(
  { inclusion }: Pick<AttachedRecord, 'inclusion'>,
  place: string,
  journals: readonly JournalSize[] | undefined,
  origin: string,
): void {
  const size = journals?.find((each) => each.origin === origin)?.size;
  if (inclusion && size !== undefined && inclusion.leafIndex >= size)
    throw new Refutation(`${place} is newer than policy.journals`);
}
