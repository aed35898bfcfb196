import { useEffect, useRef, useState } from 'react';
import { JsonText } from '../../ui/json.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Ago } from '../../ui/time.tsx';
import classes from './compare.module.css';
import { CompareTable, marks, showValue } from './compare.tsx';
import { differences } from './differences.ts';
import type { Request } from './requests.ts';

interface ArgumentsProps {
  request: Request;
  /** Called once the end of the arguments has been on the screen. */
  onSeen: () => void;
}

const argumentMarks = { ...marks, removed: ['Left out', 'warn'] } satisfies typeof marks;

/** The exact arguments of a request, and how they differ from the last similar call that was approved. */
export function Arguments({ request, onSeen }: ArgumentsProps) {
  const { action, lastSimilar } = request;
  const end = useSeen(onSeen);
  const [asText, setAsText] = useState(false);
  const rows = differences(lastSimilar ? lastSimilar.action.input : undefined, action.input);
  return (
    <Panel
      title="Exact arguments"
      hint={
        lastSimilar ? (
          <>
            Compared with the last approved “{action.type}” of {request.actor.name ?? request.actor.id},{' '}
            <Ago at={lastSimilar.createdAt} />.
          </>
        ) : (
          'There is no earlier approved call of this kind to compare with.'
        )
      }
      actions={
        <button type="button" className={classes.toggle} onClick={() => setAsText(!asText)}>
          {asText ? 'Show as a table' : 'Show as JSON'}
        </button>
      }
      flush
    >
      {asText ? (
        <JsonText value={action.input} label="Exact arguments" />
      ) : rows.length === 0 ? (
        <p className={classes.nothing}>The call has no arguments.</p>
      ) : (
        <CompareTable
          label="Exact arguments"
          heads={['Argument', 'Value', ...(lastSimilar ? ['Last time'] : [])]}
          rows={rows.map(({ path, before, after, kind }) => ({
            name: path,
            kind: lastSimilar ? kind : 'same',
            values: lastSimilar
              ? [showValue(after, argumentMarks[kind]), showValue(before)]
              : [showValue(after)],
          }))}
        />
      )}
      <div ref={end} className={classes.end} />
    </Panel>
  );
}

/** Calls back once the element has been on the screen. */
function useSeen(onSeen: () => void) {
  const element = useRef<HTMLDivElement>(null);
  const callback = useRef(onSeen);
  callback.current = onSeen;
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      callback.current();
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return element;
}
