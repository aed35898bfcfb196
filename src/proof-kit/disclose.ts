/** Reading a sealed decision back: every disclosure finds its place in the content, and what found none is named. */
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
} from './decision-form.ts';
import { type Disclosure, disclosureDigest, parseDisclosure } from './disclosure.ts';
import type { ApprovedByKind, SealedDecision, SealedPolicy, WebAuthnSignature } from './sealed-decision.ts';
import { JsonFault, parseStrictJson } from './strict-json.ts';

/** Something in a proof that is wrong, told in a clause. */
export class Refutation extends Error {}

/** An event with those of its members that are disclosed. */
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

export interface ShownApproval {
  id: string;
  approver: { id?: string; type: string; name?: string };
  result: 'approved';
  reason?: string;
  approvedAt: string;
  by: { kind: ApprovedByKind; id?: string };
  signature?: WebAuthnSignature;
}

/** Members of one object that are sealed and not disclosed: a number of digests, which stand for some of these paths. */
export interface Withheld {
  count: number;
  /** Those that are certainly among them. */
  certain: string[];
  /** Those of which the rest are some. */
  possible: string[];
}

export interface DisclosedDecision {
  /** As it was sealed. */
  content: SealedDecision;
  event: ShownEvent;
  approvals: ShownApproval[];
  policy: SealedPolicy;
  withheld: Withheld[];
  /** The disclosure of each approval's signature, where it is shown. */
  signatures: (string | undefined)[];
  /** The disclosure of `action.input`, where it is shown. */
  inputDisclosure: string | undefined;
}

/** The content of a decision, not yet disclosed. Throws a Refutation for anything else. */
export function readDecision(content: string): SealedDecision {
  const value = readCanonical(content, 'the sealed content');
  const found = decisionForm(value, '');
  if (found !== null) throw new Refutation(`the sealed content is no decision: ${found.trim()}`);
  return value as unknown as SealedDecision;
}

/** Two spellings of the same data could be read in two ways; a sealed text has only one. */
export function readCanonical(text: string, what: string): JsonValue {
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
  /** Its place in the list that was handed over. */
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

interface Opened {
  shown: { [name: string]: JsonValue };
  texts: { [name: string]: string };
  withheld: Withheld;
}

/** The disclosed members of one object. `path` names it to people, `prefix` stands before the names of its members. */
function open(
  object: { _sd?: string[] },
  members: readonly Disclosable[],
  prefix: string,
  disclosures: DisclosureSet,
): Opened {
  const shown: Opened['shown'] = {};
  const texts: Opened['texts'] = {};
  let count = 0;
  for (const digest of object._sd ?? []) {
    const given = disclosures.take(digest);
    if (!given) {
      count++;
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
  return { shown, texts, withheld: withheldOf(count, members, prefix, shown) };
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

/** What a decision says, as far as it is disclosed. Throws a Refutation where content and disclosures do not fit. */
export function disclose(content: string, disclosed: readonly string[]): DisclosedDecision {
  const sealed = readDecision(content);
  const disclosures = new DisclosureSet(disclosed);
  const { event } = sealed;
  const ofEvent = open(event, EVENT_MEMBERS, '', disclosures);
  const ofActor = open(event.actor, ACTOR_MEMBERS, 'actor.', disclosures);
  const ofAction = open(event.action, ACTION_MEMBERS, 'action.', disclosures);
  const ofAi = event.aiContext && open(event.aiContext, AI_MEMBERS, 'aiContext.', disclosures);
  const approvals = sealed.approvals.map((approval) => ({
    approval,
    own: open(approval, approvalMembers(approval.by.kind), 'approvals.', disclosures),
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
    content: sealed,
    event: shownEvent,
    approvals: approvals.map(
      ({ approval, own, ofApprover, ofBy }) =>
        ({
          id: approval.id,
          approver: { type: approval.approver.type, ...ofApprover.shown },
          result: approval.result,
          approvedAt: approval.approvedAt,
          by: { kind: approval.by.kind, ...ofBy.shown },
          ...own.shown,
        }) as ShownApproval,
    ),
    policy: sealed.policy,
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
  };
}

/** What is withheld, in words: `actor.name, 1 of action.input and action.output`. Of several approvals each path is named once. */
export function withheldNames(withheld: readonly Withheld[]): string[] {
  const names = new Set<string>();
  for (const { count, certain, possible } of withheld) {
    for (const path of certain) names.add(path);
    const open = count - certain.length;
    if (open > 0) names.add(`${open} of ${possible.join(' and ')}`);
  }
  return [...names];
}
