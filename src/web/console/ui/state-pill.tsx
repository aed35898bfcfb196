import { decisionStates, membershipStates, stateOf } from '../words/labels.ts';
import { Pill } from './pill.tsx';

export function DecisionState({ status }: { status: string }) {
  const [word, tone] = stateOf(decisionStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}

export function MembershipState({ status }: { status: string }) {
  const [word, tone] = stateOf(membershipStates, status);
  return <Pill tone={tone}>{word}</Pill>;
}
