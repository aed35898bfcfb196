import { useSyncExternalStore } from 'react';
import { isServiceDown, watchConnection } from '../graphql/connection.ts';
import classes from './connection-bar.module.css';

/** The one message while the service does not answer. It covers no content and takes no clicks. */
export function ConnectionBar() {
  const isDown = useSyncExternalStore(watchConnection, isServiceDown);
  return (
    <div role="status" className={classes.bar} data-down={isDown || undefined}>
      {isDown && 'Reconnecting…'}
    </div>
  );
}
