import { Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actorKinds } from '../../text/labels.ts';
import { authenticationLabels } from '../../text/policies.ts';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { GuardList } from '../decisions/guards.tsx';
import { seatLabel } from '../decisions/seats.tsx';
import classes from './simulator.module.css';

const Simulate = graphql(`
  query Simulate($input: SimulatePolicyInput!) {
    simulatePolicy(input: $input) {
      outcome
      selfApproval
      guards { guard verdict detail policyId version }
      seats { index group count authentication filled }
    }
    groups(first: 100) { edges { node { id name members { id name } } } }
  }
`);

type Input = VariablesOf<typeof Simulate>['input'];
type Approval = NonNullable<Input['approvals']>[number];

const deciderLabels = [
  { value: 'session', label: 'signed in' },
  { value: 'passkey', label: 'signed with a passkey' },
  { value: 'api_key', label: 'asserted by an API key' },
];

const outcomes = {
  sealed: ['good', 'It would be sealed at once.'],
  awaiting_approval: ['warn', 'It would wait for an approval.'],
  refused: ['bad', 'The service would refuse it.'],
} as const;

/** Evaluates the guards for an example decision and approver. */
export function Simulator() {
  const [actionType, setAction] = useState('therapy.plan.adjust');
  const [actorType, setActor] = useState<string | null>('ai_agent');
  const [risk, setRisk] = useState<number | string>(50);
  const [approvers, setApprovers] = useState(0);
  const [by, setBy] = useState<string | null>('session');
  const [own, setOwn] = useState(false);
  const [explained, setExplained] = useState(true);
  const approvals: Approval[] = Array.from({ length: approvers }, (_, i) => ({
    approverId: own && i === 0 ? 'the-actor' : `approver-${i + 1}`,
    approverType: 'human',
    by: by as Approval['by'],
  }));
  const [input] = useDebouncedValue<Input>(
    {
      actionType: actionType.trim() || '*',
      actorType: actorType as Input['actorType'],
      actorId: 'the-actor',
      riskScore: risk === '' ? undefined : Number(risk) / 100,
      // A decision reaches AUDIT_READY once an approver has given a reason.
      evidenceLevel: explained ? 'AUDIT_READY' : 'DOCUMENTED',
      approvals,
    },
    200,
  );
  const read = useRead(Simulate, { input });
  return (
    <Panel title="Try it" hint="Evaluates the current policies. Nothing is recorded.">
      <div className={classes.columns}>
        <Stack>
          <TextInput
            label="Action"
            value={actionType}
            onChange={({ currentTarget }) => setAction(currentTarget.value)}
          />
          <Select
            label="Decided by"
            allowDeselect={false}
            data={Object.entries(actorKinds).map(([value, label]) => ({ value, label }))}
            value={actorType}
            onChange={setActor}
          />
          <NumberInput
            label="Risk"
            description="Leave empty if unrated."
            suffix=" %"
            min={0}
            max={100}
            value={risk}
            onChange={setRisk}
          />
          <Checkbox
            label="With a description, the model's reasoning or a reason"
            checked={explained}
            onChange={({ currentTarget }) => setExplained(currentTarget.checked)}
          />
          <Group grow align="flex-start">
            <NumberInput
              label="Approvers"
              min={0}
              max={5}
              value={approvers}
              onChange={(value) => setApprovers(Number(value) || 0)}
            />
            <Select
              label="Each approver"
              allowDeselect={false}
              data={deciderLabels}
              value={by}
              onChange={setBy}
              disabled={approvers === 0}
            />
          </Group>
          <Checkbox
            label="The first approver is the requester"
            checked={own}
            disabled={approvers === 0}
            onChange={({ currentTarget }) => setOwn(currentTarget.checked)}
          />
        </Stack>
        <Loaded of={read} skeleton={<Lines count={5} />} small>
          {({ simulatePolicy: { outcome, selfApproval, guards, seats }, groups }) => {
            const [tone, words] = selfApproval
              ? (['bad', 'Requesters cannot approve their own decisions.'] as const)
              : outcome === 'refused' && input.approvals?.length
                ? (['bad', 'The service would refuse the approval.'] as const)
                : outcomes[outcome ?? 'refused'];
            return (
              <div>
                <p className={classes.verdict} data-tone={tone} role="status">
                  {words}
                </p>
                <SimulatedSeats seats={seats} groups={groups.edges.map(({ node }) => node)} />
                <GuardList
                  guards={guards.map(({ policyId, ...guard }) => ({ ...guard, policy: policyId }))}
                />
              </div>
            );
          }}
        </Loaded>
      </div>
    </Panel>
  );
}

interface SimulatedSeatsProps {
  seats: { index: number; group: string | null; count: number; authentication: string }[];
  groups: { id: string; name: string; members: { id: string; name: string | null }[] }[];
}

/** The seats that would have to be filled. */
function SimulatedSeats({ seats, groups }: SimulatedSeatsProps) {
  if (seats.length === 0) return null;
  return (
    <section aria-label="Who would have to approve">
      <h3 className={classes.question}>Who would have to approve</h3>
      <ul className={classes.seats}>
        {seats.map(({ index, group, count, authentication }) => {
          const found = groups.find(({ id }) => id === group);
          const names = found?.members.map(({ name }) => name).join(', ');
          return (
            <li key={index}>
              <strong>{seatLabel({ count, group, groupName: found?.name ?? null })}</strong>
              {found && ` (${names || 'no members'})`}. {authenticationLabels[authentication]}.
            </li>
          );
        })}
      </ul>
    </section>
  );
}
