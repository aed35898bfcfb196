import { type CardSection, type CardValue, valueRows } from '@countersign/proof-kit/decision-card';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { askerOf, type State } from '../../text/labels.ts';
import { CardPanel, CardRows } from '../../ui/decision-card/card-panel.tsx';
import { ExactValue, ValueTable } from '../../ui/decision-card/value-table.tsx';
import { JsonText } from '../../ui/json.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Ago } from '../../ui/time.tsx';
import classes from './arguments.module.css';
import { type Difference, differences } from './differences.ts';
import type { Request } from './requests.ts';

interface ArgumentsProps {
  request: Request;
  /** What the card says of the arguments, and the terms if the request is for a mandate. */
  section: CardSection;
  mandate: CardSection | undefined;
  /** Called once the end of the arguments has been on the screen. */
  onSeen: () => void;
}

/** The exact arguments of a request, and how they differ from the last similar call that was approved. */
export function Arguments({ request, section, mandate, onSeen }: ArgumentsProps) {
  const { action, lastSimilar } = request;
  const [shown, setShown] = useState<'short' | 'whole' | 'text'>('short');
  const values =
    shown === 'whole' ? valueRows(action.input, action.words ?? undefined, true) : section.values;
  const hidden = values.filter(({ more }) => more !== undefined);
  return (
    <CardPanel
      section={{ ...section, values: [], ...(shown === 'text' && { points: [] }) }}
      hint={mandate ? undefined : <ComparedWith request={request} />}
      actions={
        <button
          type="button"
          className={classes.link}
          onClick={() => setShown(shown === 'text' ? 'short' : 'text')}
        >
          {shown === 'text' ? 'Show as a table' : 'Show as JSON'}
        </button>
      }
    >
      {shown === 'text' ? (
        <JsonText value={action.input} label={section.title} />
      ) : (
        <>
          {mandate && <CardRows of={mandate.rows} />}
          {values.length > 0 && (
            <ComparedValues
              label={section.title}
              values={values}
              before={
                lastSimilar &&
                valueRows(lastSimilar.action.input, action.words ?? undefined, shown === 'whole')
              }
            />
          )}
          {hidden.length > 0 && (
            <p className={classes.hidden}>
              Not all arguments are shown.{' '}
              <button type="button" className={classes.link} onClick={() => setShown('whole')}>
                Show all
              </button>
            </p>
          )}
        </>
      )}
      {(hidden.length === 0 || shown === 'text') && <End onSeen={onSeen} />}
    </CardPanel>
  );
}

function ComparedWith({ request }: { request: Request }): ReactNode {
  const { action, lastSimilar } = request;
  if (!lastSimilar) return 'There is no earlier approved call of this kind to compare with.';
  return (
    <>
      Compared with the last approved “{action.type}” of {askerOf(request)},{' '}
      <Ago at={lastSimilar.createdAt} />.
    </>
  );
}

const marks: Partial<Record<Difference['kind'], State>> = {
  changed: ['Changed', 'warn'],
  added: ['New', 'info'],
  removed: ['Left out', 'warn'],
};

interface ComparedValuesProps {
  label: string;
  values: readonly CardValue[];
  before: readonly CardValue[] | null;
}

function ComparedValues({ label, values, before }: ComparedValuesProps) {
  if (!before)
    return (
      <ValueTable
        label={label}
        heads={['Value']}
        rows={values.map((each) => ({ name: each, values: [<ExactValue key="value" of={each} />] }))}
      />
    );
  return (
    <ValueTable
      label={label}
      heads={['Value', 'Last time']}
      rows={differences(before, values).map(({ before: was, after, kind }) => ({
        name: (after ?? was)!,
        mark: kind,
        values: [
          <span key="value">
            <ExactValue of={after} /> {marks[kind] && <StatePill of={marks[kind]} />}
          </span>,
          <ExactValue key="before" of={was} />,
        ],
      }))}
    />
  );
}

/** Calls back once it has been on the screen. */
function End({ onSeen }: { onSeen: () => void }) {
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
  return <div ref={element} className={classes.end} />;
}
