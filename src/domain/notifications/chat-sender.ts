import { declare } from '../../db/declared.ts';
import type { ChatOccasion } from '../../db/generated/prisma/enums.ts';
import type { Pool } from '../../db/pool.ts';
import { type RowOf, sql } from '../../db/sql.ts';
import type { OutboundSlots } from '../../lib/outbound/slots.ts';
import { enqueue } from '../../queue/enqueue.ts';
import type { Infrastructure } from '../context.ts';
import { type AttemptResult, attemptResult } from '../webhooks/record-attempts.ts';
import { openUrl } from './chat-channels.ts';
import { type AnnouncedDecision, chatMessage, testMessage } from './chat-message.ts';
import { approvalsLink } from './mail-items.ts';

const TIMEOUT_MS = 5_000;
const RESPONSE_BYTES = 1_024;
/** Longer than an attempt can take: only a worker that died leaves a lease behind. */
const LEASE = '30 seconds';
/** Decisions listed in one message. For the rest it gives the number. */
const MOST_NAMED = 10;
const MOST_AT_ONCE = 5_000;
/** Anything that happens in the meantime goes into the next message. */
const SPACING_MS = 5_000;

/** Sends messages to chats. There is one per worker process; it shares the slots of webhooks. */
export interface ChatSender {
  send(job: { channelId: string; test: boolean }): Promise<void>;
}

/** After the last attempt, unsent notices are dropped. */
interface ChannelUpdate {
  isOver: boolean;
  delivered: boolean;
  attempts: number;
  problem: string | null;
  /** Until the next message. */
  delayMs: number;
}

const CHAT_CHANNEL_TO_SEND_TO = sql('chat_channel_to_send_to', {
  id: 'text',
  centerId: 'int',
  centerDomain: 'text',
  url: 'text',
  host: 'text',
  kind: 'chat_kind',
  attempts: 'int',
  problem: 'text?',
})`
  SELECT c.id, c.center_id AS "centerId", o.center_domain AS "centerDomain", c.url, c.host, c.kind, c.attempts, c.problem
  FROM chat_channel c JOIN center o ON o.id = c.center_id AND o.status = 'ACTIVE' WHERE c.id = $channelId`;
type Channel = RowOf<typeof CHAT_CHANNEL_TO_SEND_TO>;

const LEASE_CHAT_NOTICES = sql('lease_chat_notices', { eventId: 'text', occasion: 'chat_occasion' })`
  UPDATE chat_notice n SET leased_until = now() + interval '${LEASE}'
  FROM (SELECT channel_id, event_id, occasion FROM chat_notice
        WHERE channel_id = $id AND sent_at IS NULL AND (leased_until IS NULL OR leased_until < now())
        ORDER BY event_id LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED) due
  WHERE n.channel_id = due.channel_id AND n.event_id = due.event_id AND n.occasion = due.occasion
  RETURNING n.event_id AS "eventId", n.occasion`;
type Leased = RowOf<typeof LEASE_CHAT_NOTICES>;

const DECISIONS_TO_ANNOUNCE = sql('decisions_to_announce', {
  id: 'text',
  actionType: 'text',
  description: 'text?',
  open: 'boolean',
})`
  SELECT id, action_type AS "actionType", content #>> '{action,description}' AS description,
         status IN ('recorded', 'approved') AS open
  FROM decision_event WHERE id = ANY ($eventIds) AND center_id = $centerId ORDER BY id`;

const SETTLE_CHAT_NOTICES = sql('settle_chat_notices')`
  UPDATE chat_notice n SET leased_until = NULL, sent_at = CASE WHEN $isOver THEN now() END
  FROM unnest($eventIds::text[], $occasions::chat_occasion[]) AS l(event_id, occasion)
  WHERE n.channel_id = $id AND n.event_id = l.event_id AND n.occasion = l.occasion`;

const SETTLE_CHAT_CHANNEL = sql('settle_chat_channel')`
  UPDATE chat_channel SET attempts = $attempts, problem = $problem, next_attempt_at = now() + make_interval(secs => $delaySeconds),
         sent_at = CASE WHEN $delivered THEN now() ELSE sent_at END
  WHERE id = $id`;

export function makeChatSender(app: Infrastructure, pool: Pool, slots: OutboundSlots): ChatSender {
  const everywhere = declare(pool, 'acrossTenants');

  async function load(channelId: string): Promise<Channel | null> {
    const [channel] = await CHAT_CHANNEL_TO_SEND_TO.rows(everywhere, { channelId });
    return channel ?? null;
  }

  /** Leases unsent notices, so that no other worker sends them in the meantime. */
  const lease = ({ id, centerId }: Channel) => LEASE_CHAT_NOTICES.rows(declare(pool, [centerId]), { id });

  async function announced({ centerId, centerDomain }: Channel, leased: readonly Leased[]) {
    const { publicUrl } = app.config;
    const rows = await DECISIONS_TO_ANNOUNCE.rows(declare(pool, [centerId]), {
      eventIds: leased.map(({ eventId }) => eventId),
      centerId,
    });
    const events = new Map(rows.map((row) => [row.id, row]));
    const all = leased.flatMap(({ eventId, occasion }): AnnouncedDecision[] => {
      const event = events.get(eventId);
      // A settled decision needs no message that it is pending.
      if (!event || (occasion === 'WAITING' && !event.open)) return [];
      const { actionType, description } = event;
      const link =
        occasion === 'WAITING'
          ? approvalsLink(publicUrl, centerDomain, eventId)
          : new URL(`/c/${encodeURIComponent(centerDomain)}/decisions/${eventId}`, publicUrl).href;
      return [{ occasion, actionType, description, link }];
    });
    const of = (occasion: ChatOccasion) => all.filter((decision) => decision.occasion === occasion);
    const [waiting, decided] = [of('WAITING'), of('DECIDED')];
    return {
      decisions: [...waiting.slice(0, MOST_NAMED), ...decided.slice(0, MOST_NAMED)],
      more: {
        WAITING: Math.max(0, waiting.length - MOST_NAMED),
        DECIDED: Math.max(0, decided.length - MOST_NAMED),
      },
      link: approvalsLink(publicUrl, centerDomain, null),
    };
  }

  /** Makes one attempt, or returns the delay in milliseconds. */
  async function post(channel: Channel, message: object): Promise<AttemptResult | number> {
    const { id: endpoint, centerId, host } = channel;
    const slot = slots.enter({ centerId, endpoint, host });
    if (typeof slot === 'number') return slot;
    const startedAt = performance.now();
    try {
      const answer = await app.outbound.post({
        url: openUrl(app.vault, channel),
        headers: { 'content-type': 'application/json', 'user-agent': 'Countersign-Notifications/1' },
        body: JSON.stringify(message),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: RESPONSE_BYTES,
      });
      return attemptResult(answer, new Date());
    } finally {
      slot.leave(performance.now() - startedAt);
    }
  }

  async function settle(
    { id, centerId }: Channel,
    leased: readonly Leased[],
    update: ChannelUpdate,
  ): Promise<void> {
    const { isOver, delivered, attempts, problem, delayMs } = update;
    await declare(pool, [centerId]).transaction(async (client) => {
      await SETTLE_CHAT_NOTICES.run(client, {
        id,
        eventIds: leased.map(({ eventId }) => eventId),
        occasions: leased.map(({ occasion }) => occasion),
        isOver,
      });
      await SETTLE_CHAT_CHANNEL.run(client, {
        id,
        attempts,
        problem,
        delaySeconds: delayMs / 1_000,
        delivered,
      });
    });
  }

  return {
    async send({ channelId, test }) {
      const channel = await load(channelId);
      if (!channel) return;
      if (test) {
        const result = await post(channel, testMessage(channel.kind));
        if (typeof result !== 'number')
          return settle(channel, [], { ...updateAfter(channel, result), attempts: 0 });
        const runAt = new Date(Date.now() + result);
        return enqueue(pool, 'send_chat', { channelId, test }, { runAt, key: `chat-test:${channelId}` });
      }
      const leased = await lease(channel);
      if (leased.length === 0) return;
      const announcement = await announced(channel, leased);
      const result =
        announcement.decisions.length > 0
          ? await post(channel, chatMessage(channel.kind, announcement))
          : null;
      await settle(channel, leased, updateAfter(channel, result));
    },
  };

  /** Updates the notices and the channel after an attempt. Null means that there was nothing to send. */
  function updateAfter({ attempts, problem }: Channel, result: AttemptResult | number | null): ChannelUpdate {
    if (result === null) return { isOver: true, delivered: false, attempts, problem, delayMs: 0 };
    if (typeof result === 'number') {
      return { isOver: false, delivered: false, attempts, problem, delayMs: result };
    }
    if (result.ok) return { isOver: true, delivered: true, attempts: 0, problem: null, delayMs: SPACING_MS };
    const delay = result.gone ? undefined : app.config.webhooks.retryDelays[attempts];
    return {
      isOver: delay === undefined,
      delivered: false,
      attempts: delay === undefined ? 0 : attempts + 1,
      problem: result.error ?? `The chat answered with status ${result.responseStatus}.`,
      delayMs: Math.max(delay ?? 0, result.retryAfter ?? 0) * 1_000,
    };
  }
}
