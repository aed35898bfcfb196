import {
  centerStates,
  decisionStates,
  executionStates,
  membershipStates,
  paymentStates,
  stateOf,
} from '../text/labels.ts';
import { Pill } from './pill.tsx';

export function DecisionState({ status }: { status: string }) {
  const [word, tone] = stateOf(decisionStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export function MembershipState({ status }: { status: string }) {
  const [word, tone] = stateOf(membershipStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export function CenterState({ status }: { status: string }) {
  const [word, tone] = stateOf(centerStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export function PaymentState({ status }: { status: string }) {
  const [word, tone] = stateOf(paymentStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export function ExecutionState({ status }: { status: string }) {
  const [word, tone] = stateOf(executionStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}
