import { Checkbox, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { graphql, type ResultOf, type VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { actorKinds } from '../../text/labels.ts';
import { authenticationLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { GuardList, seatLabel } from '../decisions/guards.tsx';
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
type Simulated = ResultOf<typeof Simulate>;
type Approval = NonNullable<Input['approvals']>[number];

const deciderLabels = choicesOf({
  session: 'signed in',
  passkey: 'signed with a passkey',
  api_key: 'asserted by an API key',
});

const outcomes = {
  sealed: ['good', 'It would be sealed at once.'],
  awaiting_approval: ['warn', 'It would wait for an approval.'],
  refused: ['bad', 'The service would refuse it.'],
} as const;

/** Evaluates the guards for an example decision and approver. */
export function Simulator() {
  const form = useForm({
    initialValues: {
      actionType: 'therapy.plan.adjust',
      actorType: 'ai_agent' as Input['actorType'],
      risk: 50 as number | '',
      approvers: 0 as number | '',
      by: 'session' as Approval['by'],
      own: false,
      explained: true,
    },
  });
  const { actionType, actorType, risk, approvers, by, own, explained } = form.values;
  const approvals: Approval[] = Array.from({ length: Number(approvers) }, (_, i) => ({
    approverId: own && i === 0 ? 'the-actor' : `approver-${i + 1}`,
    approverType: 'human',
    by,
  }));
  const [input] = useDebouncedValue<Input>(
    {
      actionType: actionType.trim() || '*',
      actorType,
      actorId: 'the-actor',
      riskScore: risk === '' ? undefined : Number(risk) / 100,
      // A decision reaches AUDIT_READY once an approver has given a reason.
      evidenceLevel: explained ? 'AUDIT_READY' : 'DOCUMENTED',
      approvals,
    },
    200,
  );
  const problem = actionTypeProblem(input.actionType);
  const read = useRead(Simulate, { input }, { pause: problem !== null });
  return (
    <Panel title="Simulate a decision" hint="Evaluates the current policies. Nothing is recorded.">
      <div className={classes.columns}>
        <Stack>
          <TextInput label="Action" {...form.getInputProps('actionType')} error={problem} />
          <Select
            label="Decided by"
            allowDeselect={false}
            data={choicesOf(actorKinds)}
            {...form.getInputProps('actorType')}
          />
          <NumberInput
            label="Risk"
            description="Leave empty if unrated."
            suffix=" %"
            min={0}
            max={100}
            {...form.getInputProps('risk')}
          />
          <Checkbox
            label="With a description, the model's reasoning or a reason"
            {...form.getInputProps('explained', { type: 'checkbox' })}
          />
          <Group grow align="flex-start">
            <NumberInput label="Approvers" min={0} max={5} {...form.getInputProps('approvers')} />
            <Select
              label="Each approver"
              allowDeselect={false}
              data={deciderLabels}
              disabled={!approvers}
              {...form.getInputProps('by')}
            />
          </Group>
          <Checkbox
            label="The first approver is the requester"
            disabled={!approvers}
            {...form.getInputProps('own', { type: 'checkbox' })}
          />
        </Stack>
        <Loaded of={read} skeleton={<Lines count={5} />} small>
          {(data) => {
            const { outcome, selfApproval, guards } = data.simulatePolicy;
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
                <SimulatedSeats {...data} />
                <GuardList guards={guards} />
              </div>
            );
          }}
        </Loaded>
      </div>
    </Panel>
  );
}

/** The seats that would have to be filled. */
function SimulatedSeats({ simulatePolicy: { seats }, groups }: Simulated) {
  if (seats.length === 0) return null;
  return (
    <section aria-label="Who would have to approve">
      <h3 className={classes.question}>Who would have to approve</h3>
      <ul className={classes.seats}>
        {seats.map(({ index, group, count, authentication }) => {
          const found = groups.edges.find(({ node }) => node.id === group)?.node;
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
