import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useEffectEvent } from 'react';
import { type AnyVariables, useClient } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import { useVisible } from '../browser/use-visible.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows a subscription while the tab is looked at. A browser opens few connections to one host, so hidden tabs give
 * theirs back; whoever comes back is told, for something may have been missed.
 */
export function useLive<Data, Variables extends AnyVariables>(
  subscription: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  onMessage: (data: Data) => void,
  options: { pause?: boolean; onReturn?: () => void } = {},
): void {
  const client = useClient();
  const visible = useVisible();
  const hear = useEffectEvent(onMessage);
  const comeBack = useEffectEvent(() => options.onReturn?.());
  const follow = visible && !options.pause;
  const key = JSON.stringify(variables);

  useEffect(() => {
    if (!follow) return undefined;
    let stopped = false;
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stop: (() => void) | undefined;
    const again = () => {
      if (stopped) return;
      timer = setTimeout(() => {
        comeBack();
        open();
      }, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    };
    const open = () => {
      const source = client.subscription(subscription, JSON.parse(key) as Variables);
      const { unsubscribe } = pipe(
        source,
        onEnd(again),
        subscribe(({ data }) => {
          if (!data) return;
          pause = FIRST_PAUSE_MS;
          hear(data);
        }),
      );
      stop = unsubscribe;
    };
    open();
    return () => {
      stopped = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [client, subscription, key, follow]);
}
