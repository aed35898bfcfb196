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

export const StatePill = ({ of: [word, tone] }: { of: State }) => <Pill tone={tone}>{word}</Pill>;

export const DecisionState = ({ status }: Has) => <StatePill of={stateOf(decisionStates, status)} />;
export const MembershipState = ({ status }: Has) => <StatePill of={stateOf(membershipStates, status)} />;
export const CenterState = ({ status }: Has) => <StatePill of={stateOf(centerStates, status)} />;
export const PaymentState = ({ status }: Has) => <StatePill of={stateOf(paymentStates, status)} />;
export const ExecutionState = ({ status }: Has) => <StatePill of={stateOf(executionStates, status)} />;

export const stateColumn = <Row,>(name: string, state: (row: Row) => State): Column<Row> => ({
  name,
  text: (row) => state(row)[0],
  cell: (row) => <StatePill of={state(row)} />,
});
const statusColumn = (states: Record<string, State>) =>
  stateColumn<Has>('Status', ({ status }) => stateOf(states, status));

export const decisionStatus = statusColumn(decisionStates);
export const membershipStatus = statusColumn(membershipStates);
export const centerStatus = statusColumn(centerStates);
export const executionStatus = statusColumn(executionStates);
