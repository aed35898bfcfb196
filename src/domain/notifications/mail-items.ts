// Requests and questions as items of a mail, in the words of the decision card.
import {
  askedBy,
  type CardFacts,
  type CardPart,
  type DecisionCard,
  decisionCard,
  plainWords,
} from '@countersign/proof-kit/decision-card';
import { durationWords } from '@countersign/proof-kit/duration-words';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import { isObject } from '../../lib/json.ts';
import { actionWordsOf } from '../centers/action-types.ts';
import { type Infrastructure, systemContext } from '../context.ts';
import { type LargeMembers, largeMembersOf, textsOf } from '../decisions/read/contents.ts';
import { partyNamesOf } from '../decisions/read/party-names.ts';
import type { DecisionEventView } from '../decisions/row.ts';
import { type MailItem, moment, safeText, safeWords } from '../mail/layout.ts';
import type { WaitingItems, WaitingQuestion } from './waiting-for.ts';

/** Requests of a mail that show their arguments, and how many of them. The rest is in the console. */
const MAX_DETAILED = 5;
const MAX_ARGUMENTS = 8;
/** Larger arguments are not read for a mail. */
const MAX_ARGUMENT_BYTES = 16_384;

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

type Request = WaitingItems['requests'][number];

/** One item for each request, with what an approver has to know first. */
export async function requestItems(
  app: Infrastructure,
  requests: readonly Request[],
  now: Date,
): Promise<MailItem[]> {
  const facts = new Map<DecisionEventView, CardFacts>();
  for (const ofCenter of Map.groupBy(requests, ({ center }) => center.id).values()) {
    for (const [event, known] of await factsOf(app, ofCenter)) facts.set(event, known);
  }
  return requests.map((request, i) =>
    itemOf(app.config.publicUrl, request, facts.get(request.event)!, { now, isDetailed: i < MAX_DETAILED }),
  );
}

async function factsOf(
  app: Infrastructure,
  requests: readonly Request[],
): Promise<Map<DecisionEventView, CardFacts>> {
  const ctx = systemContext(app, 'notifications', requests[0]!.center.id);
  const events = requests.map(({ event }) => event);
  const texts = await textsOf(ctx, events);
  const readable = events
    .slice(0, MAX_DETAILED)
    .filter((event) => (event.largeBytes ?? 0) <= MAX_ARGUMENT_BYTES);
  const large = await largeMembersOf(ctx, readable);
  const words = await actionWordsOf(
    ctx,
    events.map(({ head }) => head.action.type),
  );
  const names = await partyNamesOf(
    ctx,
    events.flatMap((event) => [event.head.actor.id, ...idsIn(event, large.get(event))]),
  );
  return new Map(
    events.map((event): [DecisionEventView, CardFacts] => {
      const { head } = event;
      const requester = event.requester;
      return [
        event,
        {
          status: event.status,
          type: head.type,
          actor: head.actor,
          occurredAt: head.occurredAt,
          action: {
            type: head.action.type,
            description: texts.get(event)?.action.description?.replace(/\s*[\r\n\t]+\s*/g, ' '),
            input: large.get(event)?.['action.input'],
          },
          riskScore: head.riskScore,
          requestedBy: requester ? { type: requester.kind, id: requester.id } : undefined,
          guards: [],
          seats: [],
          approvals: [],
          withheld: [],
          erased: Object.entries(event.erased ?? {}).map(([path, { at, reason }]) => ({ path, at, reason })),
          words: words.get(head.action.type),
          names: Object.fromEntries(names),
        },
      ];
    }),
  );
}

/** The ids that the card of a decision may name. */
function idsIn(event: DecisionEventView, large: LargeMembers | undefined): string[] {
  const ids = event.requester?.id === undefined ? [] : [event.requester.id];
  const input = large?.['action.input'];
  if (!isMandateGrant(event.head.type, event.head.action.type) || !isObject(input)) return ids;
  const { agent, keys } = input;
  const named = [isObject(agent) ? agent['id'] : null, ...(Array.isArray(keys) ? keys : [])];
  return [...ids, ...named.filter((id) => typeof id === 'string')];
}

function itemOf(
  publicUrl: string,
  { center, event }: Request,
  facts: CardFacts,
  { now, isDetailed }: { now: Date; isDetailed: boolean },
): MailItem {
  const card = decisionCard(facts);
  const item: MailItem = {
    title: safeWords(card.title),
    facts: [
      ['Center', safeText(center.name)],
      ['Asked by', safeWords(plain(askedBy(facts)))],
      ['Risk', facts.riskScore === undefined ? 'not rated' : `${Math.round(facts.riskScore * 100)} %`],
      ['Time left', timeLeft(event.expiresAt, now)],
    ],
    action: { label: 'Open the request', url: approvalsLink(publicUrl, center.domain, event.id) },
  };
  const quoted = isDetailed ? argumentsOf(card, event) : undefined;
  return quoted ? { ...item, quoted } : item;
}

/** With dots, mail clients would turn the names of actions and members into links. */
const withoutDots = (name: string) => name.replaceAll('.', ' › ').trim();

const NAME = /^[\w.*[\]-]+$/;

function plain(words: readonly CardPart[]): string {
  const parts = words.map((part) =>
    part.kind === 'code' && NAME.test(part.text) ? { ...part, text: withoutDots(part.text) } : part,
  );
  return plainWords(parts, (iso) => moment(new Date(iso)));
}

/** The terms of a mandate, or the arguments of an action. */
function argumentsOf(card: DecisionCard, { largeBytes }: DecisionEventView): MailItem['quoted'] {
  if ((largeBytes ?? 0) > MAX_ARGUMENT_BYTES)
    return { label: 'Arguments', rows: [['Size', 'too large for a mail; open the request']], more: 0 };
  const section = card.sections.find(({ id }) => id === 'mandate' || id === 'arguments');
  if (!section) return undefined;
  const rows: [string, string][] = [
    ...section.points.map(({ words }): [string, string] => ['Note', plain(words)]),
    ...section.rows.map(({ label, value }): [string, string] => [label, plain(value)]),
    ...section.values.map(({ path, label, value, unit }): [string, string] => [
      label ?? withoutDots(path),
      unit ? `${value} ${unit}` : value,
    ]),
  ];
  return {
    label: section.id === 'mandate' ? 'What the mandate allows' : 'Arguments',
    rows: rows.slice(0, MAX_ARGUMENTS).map(([label, value]) => [safeWords(label), safeWords(value)]),
    more: Math.max(0, rows.length - MAX_ARGUMENTS),
  };
}

/** Such as `23 hours 59 minutes, until 2026-11-20 10:31 UTC`. */
function timeLeft(expiresAt: Date | null, now: Date): string {
  if (expiresAt === null) return 'no limit';
  const seconds = Math.max(0, (expiresAt.getTime() - now.getTime()) / 1_000);
  const unit = seconds >= DAY_S ? HOUR_S : seconds >= MINUTE_S ? MINUTE_S : 1;
  return `${durationWords(Math.floor(seconds / unit) * unit)}, until ${moment(expiresAt)}`;
}

export const questionItem = (
  publicUrl: string,
  { center, workflow, prompt, askedAt }: WaitingQuestion,
): MailItem => ({
  title: safeWords(prompt),
  facts: [
    ['Center', safeText(center.name)],
    ['Asked by', `the workflow ${safeWords(workflow)}`],
    ['Asked on', moment(askedAt)],
  ],
  action: { label: 'Open the question', url: approvalsLink(publicUrl, center.domain, null) },
});

/** The console's list of pending decisions, with one decision opened. */
export function approvalsLink(publicUrl: string, centerDomain: string, eventId: string | null): string {
  const url = new URL(`/c/${encodeURIComponent(centerDomain)}/approvals`, publicUrl);
  if (eventId !== null) url.searchParams.set('event', eventId);
  return url.href;
}
