/**
 * The readable part of a decision's proof, built only from what was sealed and disclosed. The service shows it, and a verifier
 * rebuilds and compares it. Node ids and types (`@id`, `@type`) are for linked-data tools. They are URLs below the decision's
 * own URL, so they reveal nothing that is withheld.
 */
import type { JsonValue } from './canonical.ts';
import { defined } from './difference.ts';
import type { DisclosedDecision, DisclosedParts, ShownApproval, ShownEvent } from './disclose.ts';

type Json = { [name: string]: JsonValue };

/** Where the registration of an approver's passkey is recorded: the chain's origin, the index and the hash. */
export interface Credential {
  chain: string;
  index: number;
  /** `sha256:` and 64 hex digits. */
  hash: string;
}

/** Where and when a decision was sealed. */
export interface SealedPlace {
  /** `{public_url}/verify/{event id}` */
  verifyUrl: string;
  index: number;
  timestamp: string;
}

/** What decisions show whether they were approved or rejected. */
interface ShownParts {
  '@id': string;
  '@type': 'prov:Entity';
  decisionId?: string;
  event: Json;
  /** The approval that sealed the event: the last. */
  approval: Json;
  createdAt: string;
}

export interface ShownDecision extends ShownParts {
  status: 'sealed';
  evidenceLevel: 'AUDIT_READY';
  approvals: Json[];
  policy: Json;
  mandate?: Json;
  responsibility: { [question in SixQuestions]: Json } & { '@id': string };
  sealedAt: string;
}

export interface ShownRejection extends ShownParts {
  status: 'rejected';
  evidenceLevel: 'DOCUMENTED';
  rejectedAt: string;
}

type SixQuestions = 'who' | 'what' | 'when' | 'where' | 'why' | 'how';

export function verifyUrlOf(publicUrl: string, id: string): string {
  return `${publicUrl}/verify/${encodeURIComponent(id)}`;
}

const agentType = (type: string): string => (type === 'human' ? 'prov:Person' : 'prov:SoftwareAgent');

const known = (members: { [name: string]: unknown }): Json => defined(members) as Json;

function showParts(
  { event, approvals }: Pick<DisclosedParts, 'event' | 'approvals'>,
  place: SealedPlace,
  credentials: readonly (Credential | undefined)[],
) {
  const at = (fragment: string) => `${place.verifyUrl}#${fragment}`;
  const actor = { '@id': at('actor'), '@type': agentType(event.actor.type), ...event.actor };
  const approvers = approvals.map(({ approver }, i) => ({
    '@id': at(`approver-${i + 1}`),
    '@type': agentType(approver.type),
    ...approver,
  }));
  const shownApprovals = approvals.map((approval, i) =>
    known({
      '@id': at(`approval-${i + 1}`),
      '@type': 'prov:Activity',
      ...approval,
      approver: approvers[i],
      credential: credentials[i],
    }),
  );
  const shownEvent = known({ '@id': at('event'), '@type': 'prov:Activity', ...event, actor });
  return { at, actor, approvers, shownEvent, shownApprovals };
}

/** What a decision that was not approved shows. */
export function showRejection(
  parts: Pick<DisclosedParts, 'event' | 'approvals'>,
  place: SealedPlace,
  credential?: Credential,
): ShownRejection {
  const { shownEvent, shownApprovals } = showParts(parts, place, [credential]);
  const { event } = parts;
  return {
    '@id': place.verifyUrl,
    '@type': 'prov:Entity',
    ...(event.decisionId !== undefined && { decisionId: event.decisionId }),
    status: 'rejected',
    evidenceLevel: 'DOCUMENTED',
    event: shownEvent,
    approval: shownApprovals[0]!,
    rejectedAt: place.timestamp,
    createdAt: event.occurredAt,
  };
}

export function showDecision(
  { content, event, approvals, policy }: DisclosedDecision,
  place: SealedPlace,
  credentials: readonly (Credential | undefined)[] = [],
): ShownDecision {
  const { at, actor, approvers, shownEvent, shownApprovals } = showParts(
    { event, approvals },
    place,
    credentials,
  );
  return {
    '@id': place.verifyUrl,
    '@type': 'prov:Entity',
    ...(event.decisionId !== undefined && { decisionId: event.decisionId }),
    status: 'sealed',
    evidenceLevel: 'AUDIT_READY',
    event: shownEvent,
    approval: shownApprovals.at(-1)!,
    approvals: shownApprovals,
    policy: policy as unknown as Json,
    ...(content.mandate && { mandate: content.mandate as unknown as Json }),
    responsibility: {
      '@id': at('event'),
      who: known({ actor, approvers }),
      what: whatOf(event),
      when: known({
        '@type': 'prov:Start',
        occurredAt: event.occurredAt,
        approvedAt: approvals.map(({ approvedAt }) => approvedAt),
        sealedAt: place.timestamp,
      }),
      where: known({
        '@type': 'prov:Location',
        service: content.service,
        centerId: content.center.id,
        centerDomain: content.center.domain,
        chainIndex: place.index,
      }),
      why: whyOf(event, approvals, policy),
      how: known({
        '@type': 'prov:Association',
        agent: actor['@id'],
        method: event.type,
        model: event.aiContext?.model,
        provider: event.aiContext?.provider,
        approvedBy: approvals.map(({ by }) => by.kind),
      }),
    },
    sealedAt: place.timestamp,
    createdAt: event.occurredAt,
  };
}

function whatOf({ id, decisionId, action }: ShownEvent): Json {
  return known({ eventId: id, decisionId, type: action.type, description: action.description });
}

function whyOf(
  { aiContext }: ShownEvent,
  approvals: readonly ShownApproval[],
  policy: { id: string; version: number },
): Json {
  const reasons = approvals.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return known({
    reasoning: aiContext?.reasoning,
    reasons: reasons.length > 0 ? reasons : undefined,
    policyId: policy.id,
    policyVersion: policy.version,
  });
}
