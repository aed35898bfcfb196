import { seatPoint } from '@countersign/proof-kit/card-approvals';
import { guardPoint } from '@countersign/proof-kit/card-sections';
import type { CardFacts, CardPoint } from '@countersign/proof-kit/decision-card';
import { isRequired } from '@countersign/proof-kit/guard-sentences';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { Points } from '../../ui/decision-card/points.tsx';
import type { useGroups } from './policy.ts';
import type { Approver, Simulate, Simulation } from './simulation.ts';
import classes from './simulator.module.css';

type Input = VariablesOf<typeof Simulate>['input'];

interface SimulatedProps extends Pick<ReturnType<typeof useGroups>, 'groups'> {
  of: Simulation;
  input: Input;
  approvers: readonly Approver[];
}

const outcomes = {
  sealed: ['good', 'It would be sealed at once.'],
  awaiting_approval: ['warn', 'It would wait for an approval.'],
  refused: ['bad', 'The service would refuse it.'],
} as const;

function verdictOf({ outcome, selfApproval }: Simulation, { approvals }: Input) {
  if (selfApproval) return ['bad', 'Requesters cannot approve their own decisions.'] as const;
  if (approvals?.length && outcome === 'refused')
    return ['bad', 'The service would refuse the approval.'] as const;
  if (approvals?.length && outcome === 'awaiting_approval')
    return ['warn', 'It would wait for a further approval.'] as const;
  return outcomes[outcome ?? 'refused'];
}

/** The result, in the sentences that a request shows. */
export function Simulated({ of: simulation, input, approvers, groups }: SimulatedProps) {
  const [tone, words] = verdictOf(simulation, input);
  const names = Object.fromEntries(groups.map(({ id, name }) => [id, name]));
  const facts: CardFacts = { ...factsOf(simulation, input, approvers), names };
  return (
    <div>
      <p className={classes.verdict} data-tone={tone} role="status">
        {words}
      </p>
      <Section title="Who has to approve" points={facts.seats.map((seat) => seatPoint(facts, seat))} />
      <Section
        title="What the policies require"
        points={facts.guards.filter(isRequired).map((guard) => guardPoint(facts, guard))}
      />
    </div>
  );
}

function Section({ title, points }: { title: string; points: readonly CardPoint[] }) {
  if (points.length === 0) return null;
  return (
    <section aria-label={title} className={classes.section}>
      <h3>{title}</h3>
      <Points of={points} />
    </section>
  );
}

const factsOf = (
  { guards, seats }: Simulation,
  { actionType, actorType, approvals }: Input,
  approvers: readonly Approver[],
): CardFacts => ({
  status: 'recorded',
  type: 'agent_execution',
  actor: { type: actorType },
  occurredAt: '',
  action: { type: actionType },
  guards: guards.map(({ policyId, policyName, version, ...guard }) => ({
    ...guard,
    policy: policyId ?? undefined,
    policyName: policyName ?? undefined,
    version: version ?? undefined,
  })),
  seats: seats.map(({ groupName, ...seat }) => ({ ...seat, groupName: groupName ?? undefined })),
  approvals: (approvals ?? []).map(({ approverId, by }) => ({
    approver: { type: 'human', name: approvers.find(({ id }) => id === approverId)?.name },
    result: 'approved',
    by: { kind: by },
    approvedAt: '',
  })),
  withheld: [],
  erased: [],
});
