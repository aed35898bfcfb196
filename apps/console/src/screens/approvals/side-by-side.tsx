import { Modal } from '@mantine/core';
import { useRead } from '../../graphql/use-read.ts';
import { headlineOf, percent } from '../../text/labels.ts';
import { Pill } from '../../ui/pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Countdown } from '../../ui/time.tsx';
import classes from './compare.module.css';
import { showValue } from './compare.tsx';
import { differences } from './differences.ts';
import { markOpened } from './opened.ts';
import { type Request, TwoRequests } from './requests.ts';

interface SideBySideProps {
  ids: readonly [string, string] | null;
  onClose: () => void;
}

/** Two requests, argument by argument. */
export function SideBySide({ ids, onClose }: SideBySideProps) {
  return (
    <Modal opened={ids !== null} onClose={onClose} title="Two requests side by side" size="xl">
      {ids && <Both first={ids[0]} second={ids[1]} />}
    </Modal>
  );
}

function Both({ first, second }: { first: string; second: string }) {
  const read = useRead(TwoRequests, { first, second });
  return (
    <Loaded of={read}>
      {({ first: one, second: other }) => {
        // Both are on screen with all their arguments.
        markOpened(one.id);
        markOpened(other.id);
        return <Shown one={one} other={other} />;
      }}
    </Loaded>
  );
}

type Compared = Pick<Request, 'id' | 'actor' | 'action' | 'riskScore' | 'expiresAt' | 'aiContext'>;

function Shown({ one, other }: { one: Compared; other: Compared }) {
  const rows = differences(one.action.input, other.action.input);
  const facts: [string, (request: Compared) => React.ReactNode][] = [
    ['Asked by', ({ actor }) => actor.name ?? actor.id],
    ['Action', ({ action }) => action.type],
    ['Risk', ({ riskScore }) => (riskScore === null ? 'Not rated' : percent(riskScore))],
    ['Expires in', ({ expiresAt }) => (expiresAt ? <Countdown until={expiresAt} /> : 'Never')],
    ['Reasoning', ({ aiContext }) => aiContext?.reasoning ?? '–'],
  ];
  return (
    <table className={classes.compare} aria-label="Two requests side by side">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">What</span>
          </th>
          <th scope="col">{headlineOf(one.action)}</th>
          <th scope="col">{headlineOf(other.action)}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ path, before, after, kind }) => (
          <tr key={`argument ${path}`} data-kind={kind}>
            <th scope="row">{path}</th>
            <td data-name={headlineOf(one.action)}>{showValue(before)}</td>
            <td data-name={headlineOf(other.action)}>
              {showValue(after)} {kind !== 'same' && <Pill tone="warn">Differs</Pill>}
            </td>
          </tr>
        ))}
        {facts.map(([name, show]) => (
          <tr key={name} data-kind="same">
            <th scope="row">{name}</th>
            <td data-name={headlineOf(one.action)}>{show(one)}</td>
            <td data-name={headlineOf(other.action)}>{show(other)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
