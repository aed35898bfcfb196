/**
 * The sealed content of a decision: its plain members, and the digests of everything that may be disclosed, withheld or erased
 * later without breaking the seal. The parts are built as they arise: the event when it is recorded, an approval when it is
 * prepared, the whole when it is sealed. Members are in canonical order, which makes serialization cheap.
 */
import { type Bytes, toHex, utf8 } from './bytes.ts';
import { canonicalJson, type JsonValue } from './canonical.ts';
import { disclosureDigest, makeDisclosure, type SealTools } from './disclosure.ts';
import { sha256 } from './sha256.ts';
import { sortTexts } from './sort-texts.ts';

type Json = { [name: string]: JsonValue };

/** A decision event in plain text. Absent or null members are not sealed. */
export interface PlainEvent {
  id: string;
  decisionId: string;
  type: string;
  actor: { id: string; type: string; name?: string | null | undefined };
  action: {
    type: string;
    description?: string | null | undefined;
    input?: object | null | undefined;
    output?: object | null | undefined;
  };
  aiContext?:
    | {
        model?: string | null | undefined;
        provider?: string | null | undefined;
        confidence?: number | null | undefined;
        reasoning?: string | null | undefined;
      }
    | null
    | undefined;
  tags?: readonly string[] | null | undefined;
  riskScore?: number | null | undefined;
  occurredAt: string;
}

/**
 * How an approver was authenticated: by an API key that vouched for them, by a session, by a passkey's signature, or not at
 * all. A mandate approves by itself.
 */
export type ApprovedByKind = 'api_key' | 'session' | 'passkey' | 'system' | 'mandate';

/** A seat that an approval fills; without a group for a seat of any human. */
export interface SeatReference {
  index: number;
  group?: string;
}

/** Why an approver could fill a seat: plain members of an approval, each omitted if it does not apply. */
export interface Seating {
  seat?: SeatReference;
  /** Seats of wider quorums that the same approval fills. */
  alsoSeats?: SeatReference[];
  delegation?: { id: string };
  escalation?: { group: string };
}

export interface PlainApproval extends Seating {
  id: string;
  approver: { id: string; type: string; name?: string | null | undefined };
  result: string;
  reason?: string | null | undefined;
  /** `id` is the API key's or the actor's; the system has none. */
  by: { kind: ApprovedByKind; id?: string | null | undefined };
  /** The person whose delegate approved; present exactly if there is a delegation. */
  onBehalfOf?: string | null | undefined;
  /** Omitted while the approval is only prepared for signing. */
  approvedAt?: string | undefined;
  signature?: WebAuthnSignature | undefined;
}

/** A passkey's response, every part in base64url. */
export interface WebAuthnSignature {
  type: 'webauthn';
  credentialId: string;
  /** SubjectPublicKeyInfo, DER. */
  publicKey: string;
  authenticatorData: string;
  clientDataJSON: string;
  signature: string;
}

export interface SealedEvent {
  id: string;
  type: string;
  actor: { type: string; _sd?: string[] };
  action: { type: string; _sd?: string[] };
  aiContext?: { _sd?: string[] };
  occurredAt: string;
  _sd?: string[];
}

export interface SealedApproval extends Seating {
  id: string;
  approver: { type: string; _sd?: string[] };
  result: string;
  by: { kind: ApprovedByKind; _sd?: string[] };
  approvedAt?: string;
  _sd?: string[];
}

export interface SealedGuard {
  guard: string;
  verdict: string;
  detail: string;
  policy?: string;
  version?: number;
}

export interface SealedPolicy {
  id: string;
  version: number;
  guards: SealedGuard[];
}

/** The mandate that approved a decision, and its usage afterwards. */
export interface SealedMandate {
  id: string;
  /** The decision that granted it. */
  eventId: string;
  /** Counts from 1. */
  use: number;
  /** Left out without a budget. */
  spent?: number;
}

export interface SealedDecision {
  kind: 'decision';
  /** Host, with port, of the service that sealed it. */
  service: string;
  center: { id: number; domain: string };
  event: SealedEvent;
  approvals: SealedApproval[];
  policy: SealedPolicy;
  mandate?: SealedMandate;
  _sd_alg: 'sha-256';
}

/** Disclosures by path: `action.input`, `approvals.reason`. Deleting one withholds that member forever. */
export type Disclosures = { [path: string]: string };

export interface Sealed<T> {
  sealed: T;
  disclosures: Disclosures;
}

/** Collects the disclosures of one object after another, each under its path. */
class Sealer {
  readonly disclosures: Disclosures = {};
  readonly #tools: SealTools;
  readonly #digest: (text: string) => string;

  constructor(tools: SealTools) {
    this.#tools = tools;
    this.#digest = tools.digest ?? disclosureDigest;
  }

  /** The `_sd` member for the members that are present; none if there are none. */
  members(prefix: string, plain: { [name: string]: unknown }): { _sd?: string[] } {
    const digests: string[] = [];
    for (const name in plain) {
      const value = plain[name];
      if (value === undefined || value === null) continue;
      const disclosure = makeDisclosure(
        this.#tools.salt(prefix + name),
        name,
        value as JsonValue,
        this.#tools.encode,
      );
      this.disclosures[prefix + name] = disclosure;
      digests.push(this.#digest(disclosure));
    }
    return digests.length > 0 ? { _sd: sortTexts(digests) } : {};
  }
}

/** Draws the salts of an event. Call it once, when the event is recorded, and store its disclosures. */
export function sealEvent(event: PlainEvent, tools: SealTools): Sealed<SealedEvent> {
  const sealer = new Sealer(tools);
  const { id, decisionId, type, actor, action, aiContext, tags, riskScore, occurredAt } = event;
  const { description, input, output } = action;
  const ofActor = sealer.members('actor.', { id: actor.id, name: actor.name });
  const ofAction = sealer.members('action.', { description, input, output });
  const own = sealer.members('', { decisionId, tags, riskScore });
  const sealed: SealedEvent = {
    ...own,
    action: { ...ofAction, type: action.type },
    actor: { ...ofActor, type: actor.type },
    ...(aiContext && { aiContext: sealAiContext(sealer, aiContext) }),
    id,
    occurredAt,
    type,
  };
  return { sealed, disclosures: sealer.disclosures };
}

function sealAiContext(sealer: Sealer, aiContext: NonNullable<PlainEvent['aiContext']>): { _sd?: string[] } {
  const { model, provider, confidence, reasoning } = aiContext;
  return sealer.members('aiContext.', { model, provider, confidence, reasoning });
}

/** Draws the salts of an approval: once, when it is given or when it is prepared for a passkey to sign. */
export function sealApproval(approval: PlainApproval, tools: SealTools): Sealed<SealedApproval> {
  const sealer = new Sealer(tools);
  const { id, approver, result, reason, by, onBehalfOf, approvedAt, signature } = approval;
  const { seat, alsoSeats, delegation, escalation } = approval;
  const ofApprover = sealer.members('approvals.approver.', { id: approver.id, name: approver.name });
  const ofCaller = sealer.members('approvals.by.', { id: by.id });
  const own = sealer.members('approvals.', { reason, signature, onBehalfOf });
  const sealed: SealedApproval = {
    ...own,
    ...(alsoSeats !== undefined && { alsoSeats: alsoSeats.map(seatReference) }),
    ...(approvedAt !== undefined && { approvedAt }),
    approver: { ...ofApprover, type: approver.type },
    by: { ...ofCaller, kind: by.kind },
    ...(delegation !== undefined && { delegation: { id: delegation.id } }),
    ...(escalation !== undefined && { escalation: { group: escalation.group } }),
    id,
    result,
    ...(seat !== undefined && { seat: seatReference(seat) }),
  };
  return { sealed, disclosures: sealer.disclosures };
}

function seatReference({ index, group }: SeatReference): SeatReference {
  return group === undefined ? { index } : { group, index };
}

/** A prepared approval with its salts, completed with the signature and the time at which it was given. */
export function completeApproval(
  { sealed, disclosures }: Sealed<SealedApproval>,
  { approvedAt, signature }: { approvedAt: string; signature: WebAuthnSignature },
  tools: SealTools,
): Sealed<SealedApproval> {
  const sealer = new Sealer(tools);
  const { _sd: added = [] } = sealer.members('approvals.', { signature });
  return {
    sealed: { ...sealed, approvedAt, _sd: sortTexts([...(sealed._sd ?? []), ...added]) },
    disclosures: { ...disclosures, ...sealer.disclosures },
  };
}

/** The exact text that is hashed on the proof chain. */
export function decisionContent(decision: {
  service: string;
  center: { id: number; domain: string };
  event: SealedEvent;
  approvals: readonly SealedApproval[];
  policy: SealedPolicy;
  mandate?: SealedMandate;
}): string {
  const { service, center, event, approvals, policy, mandate } = decision;
  return canonicalJson({
    _sd_alg: 'sha-256',
    approvals,
    center: { domain: center.domain, id: center.id },
    event,
    kind: 'decision',
    ...(mandate !== undefined && { mandate }),
    policy,
    service,
  });
}

/** The journal entry of a decision from the moment it is recorded, which is also what its approvers sign. */
export function eventDigest(event: SealedEvent, hash: (text: string) => string = hexDigest): string {
  return hash(canonicalJson(event));
}

function hexDigest(text: string): string {
  return toHex(sha256(utf8(text)));
}

/** What a passkey signs: the event, and the approval as sealed but without its time and without the digest of the signature. */
export function approvalChallenge(
  approval: SealedApproval,
  eventDigest: string,
  signatureDisclosure?: string,
): Bytes {
  const { approvedAt: _, _sd = [], ...rest } = approval;
  const own = signatureDisclosure === undefined ? null : disclosureDigest(signatureDisclosure);
  const digests = _sd.filter((digest) => digest !== own);
  const signed: Json = { ...rest, ...(digests.length > 0 && { _sd: digests }) } as unknown as Json;
  return sha256(utf8(canonicalJson({ approval: signed, eventDigest }))) as Bytes;
}
