import { graphql, type Json } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import type { Times } from '../../text/time.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { useTimes } from '../../ui/zone.tsx';
import classes from './six-w.module.css';

const Responsibility = graphql(`
  query Responsibility($id: ID!) { dpuResponsibility(id: $id) { who what when where why how } }
`);

const questions = [
  ['who', 'Who'],
  ['what', 'What'],
  ['when', 'When'],
  ['where', 'Where'],
  ['why', 'Why'],
  ['how', 'How'],
] as const;

/** The six questions that the responsible person must be able to answer. */
export function SixW({ dpuId }: { dpuId: string }) {
  const read = useRead(Responsibility, { id: dpuId });
  const times = useTimes();
  return (
    <Panel title="Who, what, when, where, why, how">
      <Loaded of={read} skeleton={<Lines count={4} />} small>
        {({ dpuResponsibility }) => (
          <dl className={classes.grid}>
            {questions.map(([key, word]) => (
              <div key={key}>
                <dt>{word}</dt>
                <dd>
                  {linesOf(dpuResponsibility[key], times).map(([name, value]) => (
                    <p key={name}>
                      <span>{name}</span> {value}
                    </p>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </Panel>
  );
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/** The results of the guards are elsewhere on the page. */
const ELSEWHERE = new Set(['guards']);

/** The members of an answer as short lines; what is nested is told by its own members. */
function linesOf(value: Json, times: Times, path = ''): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item, i) =>
      linesOf(item, times, value.length > 1 ? `${path} ${i + 1}`.trim() : path),
    );
  if (typeof value === 'object') {
    const members = Object.entries(value).filter(([name]) => !ELSEWHERE.has(name) && !name.startsWith('@'));
    return members.flatMap(([name, member]) =>
      linesOf(member, times, path ? `${path} ${spaced(name)}` : spaced(name)),
    );
  }
  const text = typeof value === 'string' && ISO.test(value) ? times.exactly(value) : String(value);
  return [[path, text]];
}

const spaced = (name: string) =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase();
