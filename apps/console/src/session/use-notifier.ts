import { printable } from '@countersign/proof-kit/printable';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useClient } from 'urql';
import { showNotification, useNotifications } from '../browser/notify.ts';
import { graphql } from '../graphql/graphql.ts';
import { count, headlineOf } from '../text/labels.ts';
import { useSession } from './session-context.ts';

const Newest = graphql(`
  query NewestForMe {
    approvalsForMe(first: 20) {
      edges { node { eventId event { createdAt actor { id } action { type description } } } }
    }
  }
`);

interface Announced {
  eventId: string;
  createdAt: string;
  actor: { id: string };
  action: { type: string; description: string | null };
}

/** However many requests come, a person gets one notification in this time. */
const PAUSE_MS = 30_000;

/** Shows new requests of the center as notifications of the browser, if the person turned them on and looks elsewhere. */
export function useNotifier() {
  const { me, centers } = useSession();
  const { isOn } = useNotifications(me.actorId);
  const client = useClient();
  const navigate = useNavigate();
  const state = useRef({
    since: Date.now(),
    told: new Set<string>(),
    waiting: [] as Announced[],
    timer: undefined as number | undefined,
  }).current;
  const center = centers.find(({ id }) => id === me.centerId);

  const show = () => {
    state.timer = undefined;
    const requests = state.waiting.splice(0);
    const [first] = requests;
    if (!first || !center) return;
    const isOne = requests.length === 1;
    showNotification({
      title: center.name,
      body: isOne
        ? `Waiting for you: ${printable(headlineOf(first.action))}`
        : `${count(requests.length, 'new request')} are waiting for you`,
      tag: isOne ? first.eventId : `requests ${center.id}`,
      onClick: () =>
        void navigate({
          to: '/c/$center/approvals',
          params: { center: center.centerDomain },
          search: isOne ? { event: first.eventId } : {},
        }),
    });
    state.timer = window.setTimeout(show, PAUSE_MS);
  };

  const announce = (requests: readonly Announced[]) => {
    const news = requests.filter(({ eventId, actor }) => !state.told.has(eventId) && actor.id !== me.actorId);
    for (const { eventId } of news) state.told.add(eventId);
    if (!isOn || document.hasFocus()) return;
    state.waiting.push(...news);
    if (state.timer === undefined) show();
  };

  /** Messages may have been missed. */
  const catchUp = () => {
    if (!isOn) return;
    void client
      .query(Newest, {}, { requestPolicy: 'network-only' })
      .toPromise()
      .then(({ data }) => {
        const nodes = data?.approvalsForMe.edges.map(({ node: { eventId, event } }) => ({
          eventId,
          ...event,
        }));
        announce((nodes ?? []).filter(({ createdAt }) => Date.parse(createdAt) > state.since));
      });
  };
  return { isOn, announce, catchUp };
}
