import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { headlineOf, percent } from '../../text/labels.ts';
import { Loaded } from '../../ui/states.tsx';
import { Countdown } from '../../ui/time.tsx';
import { CompareTable, showValue } from './compare.tsx';
import { differences } from './differences.ts';
import { markOpened } from './opened.ts';
import { type Compared, TwoRequests } from './requests.ts';

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

const facts: [string, (request: Compared) => ReactNode][] = [
  ['Asked by', ({ actor }) => actor.name ?? actor.id],
  ['Action', ({ action }) => action.type],
  ['Risk', ({ riskScore }) => (riskScore === null ? 'Not rated' : percent(riskScore))],
  ['Expires in', ({ expiresAt }) => (expiresAt ? <Countdown until={expiresAt} /> : 'Never')],
  ['Reasoning', ({ aiContext }) => aiContext?.reasoning ?? '–'],
];

function Shown({ one, other }: { one: Compared; other: Compared }) {
  const rows = differences(one.action.input, other.action.input).map(({ path, before, after, kind }) => ({
    name: path,
    kind,
    values: [showValue(before), showValue(after, kind === 'same' ? undefined : ['Differs', 'warn'])],
  }));
  const common = facts.map(([name, show]) => ({
    name,
    kind: 'same' as const,
    values: [show(one), show(other)],
  }));
  return (
    <CompareTable
      label="Two requests side by side"
      heads={[
        <span key="what" className="visually-hidden">
          What
        </span>,
        headlineOf(one.action),
        headlineOf(other.action),
      ]}
      rows={[...rows, ...common]}
    />
  );
}
