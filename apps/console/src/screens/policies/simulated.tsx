import { type CardFacts, type CardPoint, decisionCard } from '@countersign/proof-kit/decision-card';
import type { GroupName } from '@countersign/proof-kit/seat-sentences';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import type { VariablesOf } from '../../graphql/graphql.ts';
import type { Approver, Simulate, Simulation } from './simulation.ts';
import classes from './simulator.module.css';

type Input = VariablesOf<typeof Simulate>['input'];

interface SimulatedProps {
  of: Simulation;
  input: Input;
  approvers: readonly Approver[];
  groupName: GroupName;
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
export function Simulated({ of: simulation, input, approvers, groupName }: SimulatedProps) {
  const [tone, words] = verdictOf(simulation, input);
  const card = decisionCard(factsOf(simulation, input, { approvers, groupName }));
  return (
    <div>
      <p className={classes.verdict} data-tone={tone} role="status">
        {words}
      </p>
      {(['seats', 'policies'] as const).map((id) => {
        const section = card.sections.find((each) => each.id === id);
        return (
          section && (
            <section key={id} aria-label={section.title} className={classes.section}>
              <h3>{section.title}</h3>
              <ul>
                {section.points.map((point) => (
                  <Point key={JSON.stringify(point)} of={point} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function factsOf(
  { guards, seats }: Simulation,
  { actionType, actorType, approvals }: Input,
  { approvers, groupName }: Pick<SimulatedProps, 'approvers' | 'groupName'>,
): CardFacts {
  const groups = guards.flatMap(({ detail }) => detail.match(/grp_\w+/g) ?? []);
  const names = groups.flatMap((id) => {
    const name = groupName(id);
    return name === undefined ? [] : [[id, name] as const];
  });
  return {
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
    seats: seats.map(({ groupName: name, ...seat }) => ({ ...seat, groupName: name ?? undefined })),
    approvals: (approvals ?? []).map(({ approverId, by }) => ({
      approver: { type: 'human', name: approvers.find(({ id }) => id === approverId)?.name },
      result: 'approved',
      by: { kind: by },
      approvedAt: '',
    })),
    withheld: [],
    erased: [],
    names: Object.fromEntries(names),
  };
}

const marks = {
  met: [<IconCheck key="met" size={14} />, 'Passed'],
  unmet: [<IconX key="unmet" size={14} />, 'Failed'],
  open: [<IconClock key="open" size={14} />, 'Waits'],
  note: [null, ''],
} as const;

function Point({ of: { state, title, words } }: { of: CardPoint }) {
  const [icon, label] = marks[state];
  return (
    <li data-state={state}>
      <span className={classes.mark} aria-hidden="true">
        {icon}
      </span>
      <span>
        {title && <strong>{title}</strong>}
        <span className="visually-hidden">{label}: </span>
        <span className={title && classes.detail}>
          {words.map(({ text, kind }, i) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other identity
            kind === 'name' ? <strong key={i}>{text}</strong> : text,
          )}
        </span>
      </span>
    </li>
  );
}
