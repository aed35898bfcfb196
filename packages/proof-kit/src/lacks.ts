/** What a partial document lacks, and what cannot be said of its decision without it: for pages, which say it in their own words. */
import type { VerifiedGrant } from './attached-steps.ts';
import type { SealedPolicy } from './decision.ts';
import type { DisclosedParts } from './disclose.ts';
import { doubtOf, type Findings } from './verdict-line.ts';
import type { Lacks } from './verify-steps.ts';

const OF_THE_GRANT = 'mandateProof (';

export function lacksIn(
  { document: { erased = [] }, withheld, log, signers }: Findings,
  parts: DisclosedParts | null,
  mandate: VerifiedGrant | null,
): Lacks {
  // The grant of a mandate that only withholds something is listed like a withheld member.
  const isGrantPartial = log.missing.some((name) => name.startsWith(OF_THE_GRANT));
  const isGrantWithheld = isGrantPartial && !mandate?.verdict.lacks.hasOthers;
  const missing = log.missing.filter((name) => !(isGrantWithheld && name.startsWith(OF_THE_GRANT)));
  return {
    withheld: [...withheld, ...(isGrantWithheld ? ['mandateProof'] : [])],
    erased: erased.map(({ path }) => path),
    hasOthers: missing.length > 0 || log.cannot.size > 0 || doubtOf(signers) !== null,
    unsaid: parts ? unsaidOf(parts) : [],
  };
}

/** A later disclosure could still refute it. As clauses that follow "it cannot be said". */
export function unsaidOf({
  event,
  approvals,
  withheld,
  policy,
}: DisclosedParts & { policy?: SealedPolicy }): string[] {
  const isWithheld = (path: string) =>
    withheld.some(({ certain, possible }) => [...certain, ...possible].includes(path));
  const isRiskAsked = policy?.guards.some(({ detail }) => detail.startsWith('risk ')) ?? false;
  const isUnnamed = approvals.some(({ approver }) => approver.id === undefined);
  const isUnsigned = approvals.some(({ by, signature }) => by.kind === 'passkey' && signature === undefined);
  const ofProviders = approvals.filter(({ by }) => by.via !== undefined);
  const isUnidentified = ofProviders.some(({ by }) => by.identity === undefined);
  return [
    ...(isUnnamed && approvals.length > 1 ? ['that the approvers are different people'] : []),
    ...(isUnidentified && ofProviders.length > 1
      ? ['that the approvers signed in with different company accounts']
      : []),
    ...(isUnnamed || event.actor.id === undefined ? ['that no one approved their own request'] : []),
    ...(isUnsigned ? ['that the signature of a passkey is good, and whose passkey it is'] : []),
    ...(event.riskScore === undefined && isWithheld('riskScore') && isRiskAsked
      ? ['that the risk was as low as the policy asked']
      : []),
    ...(event.action.input === undefined && isWithheld('action.input') ? ['what exactly was approved'] : []),
  ];
}
