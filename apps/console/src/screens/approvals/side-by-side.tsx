import {
  type CardRow,
  type CardSectionId,
  type DecisionCard,
  decisionCard,
  plainWords,
  valueRows,
} from '@countersign/proof-kit/decision-card';
import { Modal } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { useRead } from '../../graphql/use-read.ts';
import { ExactValue, ValueTable } from '../../ui/decision-card/value-table.tsx';
import { Words } from '../../ui/decision-card/words.tsx';
import { StatePill } from '../../ui/state-pill.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Countdown } from '../../ui/time.tsx';
import { cardFactsOf } from '../decisions/card-facts.ts';
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

/** The facts that requests have in common, in the order of their card. */
const COMPARED: readonly CardSectionId[] = ['mandate', 'request', 'risk'];

const valuesOf = ({ sections }: DecisionCard, { action }: Compared) =>
  sections.some(({ id }) => id === 'mandate') ? [] : valueRows(action.input, action.words ?? undefined, true);

const rowsOf = ({ sections }: DecisionCard) =>
  COMPARED.flatMap((id) => sections.find((each) => each.id === id)?.rows ?? []);

/** Two requests never have the same time. */
const ASKED_ON = 'Asked on';

const exactWords = (row: CardRow | undefined) => row && plainWords(row.value, (iso) => iso);

function Shown({ one, other }: { one: Compared; other: Compared }) {
  const [first, second] = useMemo(
    () => [decisionCard(cardFactsOf(one)), decisionCard(cardFactsOf(other))] as const,
    [one, other],
  );
  const values = differences(valuesOf(first, one), valuesOf(second, other)).map(
    ({ before, after, kind }) => ({
      name: (before ?? after)!,
      values: [
        <ExactValue key="one" of={before} />,
        <Second key="other" differs={kind !== 'same'}>
          <ExactValue of={after} />
        </Second>,
      ],
    }),
  );
  const [ofFirst, ofSecond] = [rowsOf(first), rowsOf(second)];
  const labels = [...new Set([...ofFirst, ...ofSecond].map(({ label }) => label))];
  const facts = labels.map((label) => {
    const [a, b] = [ofFirst, ofSecond].map((rows) => rows.find((row) => row.label === label));
    return {
      name: { path: '', label },
      values: [
        <Fact key="one" of={a} />,
        <Second key="other" differs={label !== ASKED_ON && exactWords(a) !== exactWords(b)}>
          <Fact of={b} />
        </Second>,
      ],
    };
  });
  const expiry = {
    name: { path: '', label: 'Expires in' },
    values: [one, other].map(({ id, expiresAt }) =>
      expiresAt ? <Countdown key={id} until={expiresAt} /> : 'Never',
    ),
  };
  return (
    <ValueTable
      label="Two requests side by side"
      heads={[first.title, second.title]}
      shortHeads={['First', 'Second']}
      rows={[...values, ...facts, expiry]}
    />
  );
}

const Fact = ({ of: row }: { of: CardRow | undefined }) => (row ? <Words of={row.value} /> : '–');

const Second = ({ differs, children }: { differs: boolean; children: ReactNode }) => (
  <>
    {children} {differs && <StatePill of={['Differs', 'warn']} />}
  </>
);
