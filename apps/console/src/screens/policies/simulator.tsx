import { printable } from '@countersign/proof-kit/printable';
import { Checkbox, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { actorKinds } from '../../text/labels.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import { useGroups } from './policy.ts';
import { Simulated } from './simulated.tsx';
import { SimulatedMandates } from './simulated-mandates.tsx';
import { type Approver, REQUESTER, Simulate, useApprovers } from './simulation.ts';
import classes from './simulator.module.css';

type Input = VariablesOf<typeof Simulate>['input'];
type Approval = NonNullable<Input['approvals']>[number];

const ways = choicesOf({
  session: 'Signed in',
  passkey: 'With a passkey',
  api_key: 'Asserted by an API key',
});

/** Evaluates the policies in force for an example decision and its approvers. */
export function Simulator() {
  const { groups } = useGroups();
  const approvers = useApprovers();
  const form = useForm({
    initialValues: {
      actionType: 'therapy.plan.adjust',
      actorType: 'ai_agent' as Input['actorType'],
      risk: 50 as number | '',
      approvers: [] as string[],
      by: 'session' as Approval['by'],
      explained: true,
    },
  });
  const { actionType, actorType, risk, by, explained } = form.values;
  const chosen = form.values.approvers.flatMap((id) => approvers.find((each) => each.id === id) ?? []);
  const [input] = useDebouncedValue<Input>(
    {
      actionType: actionType.trim() || '*',
      actorType,
      actorId: REQUESTER,
      riskScore: risk === '' ? undefined : Number(risk) / 100,
      // A decision reaches AUDIT_READY once an approver has given a reason.
      evidenceLevel: explained ? 'AUDIT_READY' : 'DOCUMENTED',
      approvals: chosen.map((approver) => approvalBy(approver, by)),
    },
    200,
  );
  const problem = actionTypeProblem(input.actionType);
  const read = useRead(Simulate, { input }, { pause: problem !== null });
  return (
    <Panel title="Simulate a decision" hint="Evaluates the policies in force. Nothing is recorded.">
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
          <MultiSelect
            label="Approved by"
            description="In the order in which they approve."
            placeholder={chosen.length === 0 ? 'No one yet' : ''}
            searchable
            maxValues={10}
            data={approvers.map(({ id, name }) => ({ value: id, label: printable(name) }))}
            {...form.getInputProps('approvers')}
          />
          <Select
            label="Each approver"
            allowDeselect={false}
            data={ways}
            disabled={chosen.length === 0}
            {...form.getInputProps('by')}
          />
        </Stack>
        <Loaded of={read} skeleton={<Lines count={5} />} small>
          {({ simulatePolicy }) => (
            <div>
              <Simulated of={simulatePolicy} input={input} approvers={approvers} groups={groups} />
              {input.actorType === 'ai_agent' && chosen.length === 0 && (
                <SimulatedMandates actionType={input.actionType} riskScore={input.riskScore ?? undefined} />
              )}
            </div>
          )}
        </Loaded>
      </div>
    </Panel>
  );
}

/** An API key cannot vouch for the groups of an approver. */
const approvalBy = ({ id, isAdmin, groups }: Approver, by: Approval['by']): Approval => ({
  approverId: id,
  approverType: 'human',
  by,
  administrator: isAdmin,
  ...(by !== 'api_key' && { groups: [...groups] }),
});
