import {
  centerStates,
  decisionStates,
  executionStates,
  membershipStates,
  paymentStates,
  type State,
  stateOf,
} from '../text/labels.ts';
import type { Column } from './column.ts';
import { Pill } from './pill.tsx';

type Has = { status: string };

function StatePill({ of: states, status }: Has & { of: Record<string, State> }) {
  const [word, tone] = stateOf(states, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export const DecisionState = ({ status }: Has) => <StatePill of={decisionStates} status={status} />;
export const MembershipState = ({ status }: Has) => <StatePill of={membershipStates} status={status} />;
export const CenterState = ({ status }: Has) => <StatePill of={centerStates} status={status} />;
export const PaymentState = ({ status }: Has) => <StatePill of={paymentStates} status={status} />;
export const ExecutionState = ({ status }: Has) => <StatePill of={executionStates} status={status} />;

const statusColumn = (states: Record<string, State>): Column<Has> => ({
  name: 'Status',
  text: ({ status }) => stateOf(states, status)[0],
  cell: ({ status }) => <StatePill of={states} status={status} />,
});

export const decisionStatus = statusColumn(decisionStates);
export const membershipStatus = statusColumn(membershipStates);
export const centerStatus = statusColumn(centerStates);
export const executionStatus = statusColumn(executionStates);
