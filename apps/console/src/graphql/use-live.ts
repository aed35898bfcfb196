import type { TadaDocumentNode } from 'gql.tada';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type AnyVariables, stringifyDocument, useClient } from 'urql';
import { onEnd, pipe, subscribe } from 'wonka';
import { useVisible } from '../browser/use-visible.ts';
import { followStream } from './shared-stream.ts';

interface Options {
  pause?: boolean;
  /** Messages may have been missed: after a hidden tab is shown again, or a connection was lost. */
  onReturn?: () => void;
  /** Also while the tab is hidden. */
  whileHidden?: boolean;
  /** For a subscription that does some work for this window alone: other windows must not start or hear it. */
  own?: boolean;
}

/** Follows a subscription while the tab is visible, unless asked for more, with one stream for all windows that follow the same one. */
export function useLive<Data, Variables extends AnyVariables>(
  subscription: TadaDocumentNode<Data, Variables>,
  variables: Variables,
  onMessage: (data: Data) => void,
  options: Options = {},
): void {
  const client = useClient();
  const visible = useVisible() || options.whileHidden === true;
  const hear = useEffectEvent(onMessage);
  const comeBack = useEffectEvent(() => options.onReturn?.());
  const follow = visible && !options.pause;
  const key = JSON.stringify(variables);
  const name = options.own ? null : `${stringifyDocument(subscription)} ${key}`;

  const missed = useRef(false);

  useEffect(() => {
    if (!visible) missed.current = true;
    if (!follow) return undefined;
    if (missed.current) comeBack();
    missed.current = false;
    return followStream<Data>({
      name,
      open(onData, end) {
        const source = client.subscription(subscription, JSON.parse(key) as Variables);
        const { unsubscribe } = pipe(
          source,
          onEnd(end),
          subscribe(({ data }) => data && onData(data)),
        );
        return unsubscribe;
      },
      onData: hear,
      onGap: comeBack,
    });
  }, [client, subscription, key, name, visible, follow]);
}
