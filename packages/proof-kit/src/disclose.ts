/** Reads a sealed decision: every disclosure is matched to its place in the content, and members without one are named. */
import { canonicalJson, type JsonValue } from './canonical.ts';
import {
  ACTION_MEMBERS,
  ACTOR_MEMBERS,
  AI_MEMBERS,
  APPROVER_MEMBERS,
  approvalMembers,
  byMembers,
  type Disclosable,
  decisionForm,
  EVENT_MEMBERS,
  rejectionForm,
} from './decision-form.ts';
import { type Disclosure, disclosureDigest, parseDisclosure } from './disclosure.ts';
import type { Form } from './form.ts';
import {
  type ApprovedByKind,
  eventDigest,
  type SealedApproval,
  type SealedDecision,
  type SealedEvent,
  type SealedPolicy,
  type Seating,
  type WebAuthnSignature,
} from './sealed-decision.ts';
import { JsonFault, parseStrictJson } from './strict-json.ts';

/** A fault in a proof, described in a clause. */
export class Refutation extends Error {}

/** Something that this runtime or verifier cannot check: `Ed25519 signatures`. */
export class CannotCheck extends Error {}

/** An event with its disclosed members. */
export interface ShownEvent {
  id: string;
  decisionId?: string;
  type: string;
  actor: { id?: string; type: string; name?: string };
  action: { type: string; description?: string; input?: JsonValue; output?: JsonValue };
  aiContext?: { model?: string; provider?: string; confidence?: number; reasoning?: string };
  tags?: string[];
  riskScore?: number;
  occurredAt: string;
}

export interface ShownApproval extends Seating {
  id: string;
  approver: { id?: string; type: string; name?: string };
  result: 'approved' | 'rejected';
  reason?: string;
  approvedAt: string;
  by: { kind: ApprovedByKind; id?: string };
  onBehalfOf?: string;
  signature?: WebAuthnSignature;
}

/** Members of one object that are sealed and not disclosed: a number of digests, which represent some of these paths. */
export interface Withheld {
  count: number;
  /** Paths that are certainly withheld. */
  certain: string[];
  /** Paths of which the remaining digests represent some. */
  possible: string[];
}

/** What content and disclosures say about an event and its approvals. */
export interface DisclosedParts {
  event: ShownEvent;
  approvals: ShownApproval[];
  withheld: Withheld[];
  /** The disclosure of each approval's signature, if shown. */
  signatures: (string | undefined)[];
  /** The disclosure of `action.input`, if shown. */
  inputDisclosure: string | undefined;
  /** The undisclosed digests of `action`. */
  actionWithheld: string[];
}

export interface DisclosedDecision extends DisclosedParts {
  /** As it was sealed. */
  content: SealedDecision;
  policy: SealedPolicy;
}

/** The journal's record of a decision that was not approved. */
export interface SealedRejection {
  kind: 'rejected';
  eventId: string;
  eventDigest: string;
  event: SealedEvent;
  approval: SealedApproval;
}

export interface DisclosedRejection extends DisclosedParts {
  content: SealedRejection;
}

/** The content of a decision, before disclosure. Throws a Refutation for anything else. */
function readDecision(content: string): SealedDecision {
  return readContent(content, 'the sealed content', 'decision', decisionForm) as unknown as SealedDecision;
}

/** Reads canonical JSON of a form; `what` and `kind` are names for people. */
export function readContent(text: string, what: string, kind: string, form: Form): JsonValue {
  const value = readCanonical(text, what);
  const found = form(value, '');
  if (found !== null) throw new Refutation(`${what} is no ${kind}: ${found.trim()}`);
  return value;
}

/** Two spellings of the same data could be read in two ways; a sealed text has only one. */
function readCanonical(text: string, what: string): JsonValue {
  let value: JsonValue;
  try {
    value = parseStrictJson(text);
  } catch (error) {
    if (error instanceof JsonFault && error.isJson) throw new Refutation(`${what}: ${error.message}`);
    throw new Refutation(`${what} is not JSON`);
  }
  if (canonicalJson(value) !== text) throw new Refutation(`${what} is not canonical JSON`);
  return value;
}

interface Given extends Disclosure {
  text: string;
  /** Its index in the given list. */
  place: string;
  isUsed: boolean;
}

/** Finds disclosures by their digests; each must be used exactly once. */
export class DisclosureSet {
  readonly #byDigest = new Map<string, Given>();
  readonly #seen = new Set<string>();

  constructor(list: readonly string[], path = 'disclosures') {
    list.forEach((text, i) => {
      const place = `${path}[${i}]`;
      let disclosure: Disclosure;
      try {
        disclosure = parseDisclosure(text);
      } catch {
        throw new Refutation(`${place} is no disclosure`);
      }
      const digest = disclosureDigest(text);
      if (this.#byDigest.has(digest)) throw new Refutation(`${place} is there twice`);
      this.#byDigest.set(digest, { ...disclosure, text, place, isUsed: false });
    });
  }

  take(digest: string): Given | undefined {
    if (this.#seen.has(digest)) throw new Refutation('a digest stands in the sealed content twice');
    this.#seen.add(digest);
    const found = this.#byDigest.get(digest);
    if (found) found.isUsed = true;
    return found;
  }

  requireAllUsed(): void {
    for (const { isUsed, place } of this.#byDigest.values())
      if (!isUsed) throw new Refutation(`${place} belongs to nothing that was sealed`);
  }
}

export interface Opened {
  /** The digests that are not disclosed. */
  closed: string[];
  shown: { [name: string]: JsonValue };
  texts: { [name: string]: string };
  withheld: Withheld;
}

/** The disclosed members of one object. `prefix` precedes the names of its members. */
export function open(
  object: { _sd?: string[] },
  members: readonly Disclosable[],
  prefix: string,
  disclosures: DisclosureSet,
): Opened {
  const shown: Opened['shown'] = {};
  const texts: Opened['texts'] = {};
  const closed: string[] = [];
  for (const digest of object._sd ?? []) {
    const given = disclosures.take(digest);
    if (!given) {
      closed.push(digest);
      continue;
    }
    const member = members.find(({ name }) => name === given.name);
    if (!member) throw new Refutation(`${given.place} discloses ${prefix}${given.name}, which is unknown`);
    if (Object.hasOwn(shown, given.name)) throw new Refutation(`${prefix}${given.name} is disclosed twice`);
    const found = member.form(given.value, prefix + given.name);
    if (found !== null) throw new Refutation(`${given.place}: ${found}`);
    shown[given.name] = given.value;
    texts[given.name] = given.text;
  }
  return { shown, texts, closed, withheld: withheldOf(closed.length, members, prefix, shown) };
}

function withheldOf(
  count: number,
  members: readonly Disclosable[],
  prefix: string,
  shown: { [name: string]: JsonValue },
): Withheld {
  const rest = members.filter(({ name }) => !Object.hasOwn(shown, name));
  const named = (presence: Disclosable['presence']) =>
    rest.filter((member) => member.presence === presence).map(({ name }) => prefix + name);
  const certain = named('always');
  const possible = named('maybe');
  if (certain.length > count) throw new Refutation(`${certain[0]} was not sealed`);
  if (count > certain.length + possible.length)
    throw new Refutation(
      `more was sealed than the format knows, beside ${prefix}${members[0]?.name ?? 'kind'}`,
    );
  if (count === certain.length + possible.length)
    return { count, certain: [...certain, ...possible], possible: [] };
  return { count, certain, possible: count === certain.length ? [] : possible };
}

/** The disclosed content of a decision. Throws a Refutation if content and disclosures do not match. */
export function disclose(content: string, disclosed: readonly string[]): DisclosedDecision {
  const sealed = readDecision(content);
  const parts = discloseParts(sealed.event, sealed.approvals, new DisclosureSet(disclosed));
  return { ...parts, content: sealed, policy: sealed.policy };
}

/** The same for the journal's record of a rejection. */
export function discloseRejection(content: string, disclosed: readonly string[]): DisclosedRejection {
  const sealed = readContent(
    content,
    'the sealed content',
    'rejection',
    rejectionForm,
  ) as unknown as SealedRejection;
  if (sealed.eventId !== sealed.event.id || sealed.eventDigest !== eventDigest(sealed.event))
    throw new Refutation('the rejection is of another event');
  return { ...discloseParts(sealed.event, [sealed.approval], new DisclosureSet(disclosed)), content: sealed };
}

function discloseParts(
  event: SealedEvent,
  sealedApprovals: readonly SealedApproval[],
  disclosures: DisclosureSet,
): DisclosedParts {
  const ofEvent = open(event, EVENT_MEMBERS, '', disclosures);
  const ofActor = open(event.actor, ACTOR_MEMBERS, 'actor.', disclosures);
  const ofAction = open(event.action, ACTION_MEMBERS, 'action.', disclosures);
  const ofAi = event.aiContext && open(event.aiContext, AI_MEMBERS, 'aiContext.', disclosures);
  const approvals = sealedApprovals.map((approval) => ({
    approval,
    own: open(approval, approvalMembers(approval), 'approvals.', disclosures),
    ofApprover: open(approval.approver, APPROVER_MEMBERS, 'approvals.approver.', disclosures),
    ofBy: open(approval.by, byMembers(approval.by.kind), 'approvals.by.', disclosures),
  }));
  disclosures.requireAllUsed();
  const shownEvent = {
    id: event.id,
    type: event.type,
    actor: { type: event.actor.type, ...ofActor.shown },
    action: { type: event.action.type, ...ofAction.shown },
    ...(ofAi && { aiContext: ofAi.shown }),
    occurredAt: event.occurredAt,
    ...ofEvent.shown,
  } as ShownEvent;
  return {
    event: shownEvent,
    approvals: approvals.map(
      ({ approval, own, ofApprover, ofBy }) =>
        ({
          id: approval.id,
          approver: { type: approval.approver.type, ...ofApprover.shown },
          result: approval.result,
          approvedAt: approval.approvedAt,
          by: { kind: approval.by.kind, ...ofBy.shown },
          ...seatingOf(approval),
          ...own.shown,
        }) as ShownApproval,
    ),
    withheld: [
      ofEvent,
      ofActor,
      ofAction,
      ...(ofAi ? [ofAi] : []),
      ...approvals.flatMap(({ own, ofApprover, ofBy }) => [own, ofApprover, ofBy]),
    ]
      .map(({ withheld }) => withheld)
      .filter(({ count }) => count > 0),
    signatures: approvals.map(({ own }) => own.texts['signature']),
    inputDisclosure: ofAction.texts['input'],
    actionWithheld: ofAction.closed,
  };
}

function seatingOf({ seat, alsoSeats, delegation, escalation }: Seating): Seating {
  return {
    ...(seat && { seat }),
    ...(alsoSeats && { alsoSeats }),
    ...(delegation && { delegation }),
    ...(escalation && { escalation }),
  };
}

/**
 * A description of what is withheld: `actor.name, 1 of action.input and action.output`. With several approvals each path is
 * named once.
 */
export function withheldNames(withheld: readonly Withheld[]): string[] {
  const names = new Set<string>();
  for (const { count, certain, possible } of withheld) {
    for (const path of certain) names.add(path);
    const open = count - certain.length;
    if (open > 0) names.add(`${open} of ${possible.join(' and ')}`);
  }
  return [...names];
}
