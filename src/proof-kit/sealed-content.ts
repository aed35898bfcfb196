/** The hashed text of a sealed decision, and whether the readable part of an export says the same. */
import { canonicalJson } from './canonical.ts';
import type { DecisionEvidence } from './document.ts';
import { type Check, isPlainObject, listOf, objectOf, oneOf, optional, text } from './shape.ts';

type Fields = Record<string, unknown>;

export interface SealedContent {
  event: Fields;
  approvals: Fields[];
  policy: Fields | undefined;
}

const MAX_APPROVALS = 100;

const party = objectOf({ id: text, type: text, name: optional(text) });

const sealedContent: Check = objectOf({
  event: objectOf({
    id: text,
    decisionId: text,
    type: text,
    actor: party,
    action: objectOf({ type: text, description: optional(text) }),
    occurredAt: text,
  }),
  approvals: listOf(
    objectOf({
      id: text,
      approver: party,
      result: oneOf('approved'),
      reason: optional(text),
      approvedAt: text,
    }),
    MAX_APPROVALS,
  ),
  policy: optional(objectOf({})),
});

/** What the content says, or a sentence why it cannot be the content of a sealed decision. */
export function readSealedContent(content: string): SealedContent | string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return 'The sealed content is not JSON.';
  }
  // A second spelling of the same data could hide a repeated key from one reader and show it to another.
  if (canonicalJson(value) !== content) return 'The sealed content is not written in canonical JSON.';
  const [fault] = sealedContent(value, '');
  if (fault !== undefined) return `The sealed content is not a sealed decision: ${fault}`;
  const sealed = value as { event: Fields; approvals: Fields[]; policy?: Fields };
  if (sealed.approvals.length === 0) return 'The sealed content names no approval.';
  return { event: sealed.event, approvals: sealed.approvals, policy: sealed.policy };
}

/** Groups of facts, of which a readable part may show some and leave out others. */
const GROUPS = new Set(['actor', 'action', 'aiContext', 'approver']);

/**
 * The readable fields that say something else than the sealed ones. Leaving a field out is allowed (inputs and outputs
 * are often private); null claims that there is none, so it is a difference where there is one.
 */
function differences(readable: object, sealed: Fields, path: string): string[] {
  return Object.entries(readable).flatMap(([name, shown]: [string, unknown]) => {
    const here = `${path}.${name}`;
    const meant = Object.hasOwn(sealed, name) ? sealed[name] : undefined;
    if (shown === undefined || (shown === null && meant === undefined)) return [];
    if (meant === undefined) return [here];
    if (GROUPS.has(name) && isPlainObject(shown) && isPlainObject(meant))
      return differences(shown, meant, here);
    return canonicalJson(shown) === canonicalJson(meant) ? [] : [here];
  });
}

/** Paths of everything readable in the evidence that the sealed content contradicts or does not know. */
export function contradictions(evidence: DecisionEvidence, sealed: SealedContent): string[] {
  const found = differences(evidence.event, sealed.event, 'event');
  if (evidence.decisionId !== sealed.event['decisionId']) found.push('decisionId');
  found.push(...differences(evidence.approval, sealed.approvals.at(-1)!, 'approval'));
  if (evidence.approvals !== undefined) {
    if (evidence.approvals.length !== sealed.approvals.length) found.push('approvals');
    else
      evidence.approvals.forEach((shown, i) => {
        found.push(...differences(shown, sealed.approvals[i]!, `approvals[${i}]`));
      });
  }
  if (evidence.policy !== undefined)
    found.push(...differences(evidence.policy, sealed.policy ?? {}, 'policy'));
  return found;
}
