import { useEffect, useRef, useState } from 'react';
import { JsonText } from '../../ui/json.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Ago } from '../../ui/time.tsx';
import classes from './compare.module.css';
import { showValue } from './compare.tsx';
import { differences } from './differences.ts';
import type { Request } from './requests.ts';

interface ArgumentsProps {
  request: Request;
  /** Called once the end of the arguments has been on the screen. */
  onSeen: () => void;
}

const words = {
  changed: ['Changed', 'warn'],
  added: ['New', 'info'],
  removed: ['Left out', 'warn'],
} as const;

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
        <table className={classes.compare} aria-label="Exact arguments">
          <thead>
            <tr>
              <th scope="col">Argument</th>
              <th scope="col">Value</th>
              {lastSimilar && <th scope="col">Last time</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ path, before, after, kind }) => {
              const word = lastSimilar && kind !== 'same' ? words[kind] : null;
              return (
                <tr key={path} data-kind={lastSimilar ? kind : 'same'}>
                  <th scope="row">{path}</th>
                  <td data-name="Value">
                    {showValue(after)} {word && <Pill tone={word[1]}>{word[0]}</Pill>}
                  </td>
                  {lastSimilar && <td data-name="Last time">{showValue(before)}</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
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
