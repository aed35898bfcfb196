import { guardName } from '@countersign/proof-kit/guard-sentences';
import { MultiSelect, NumberInput, SegmentedControl, Select, Stack } from '@mantine/core';
import { sentenceCase } from '../../text/labels.ts';
import { authenticationLabels, levelLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Advised, type Bench } from './advised.tsx';
import { DurationField } from './duration-field.tsx';
import classes from './guard-fields.module.css';
import type { useGroups } from './policy.ts';
import { guardsOf, guardsSetBy, type PolicyDraft } from './policy-draft.ts';
import { QuorumField } from './quorum-field.tsx';

const HOUR = 3_600;
const OLDEST_PASSKEY = 720 * HOUR;

const levels = choicesOf(
  Object.fromEntries(Object.entries(levelLabels).map(([level, label]) => [level, sentenceCase(label)])),
);

/** The guards, in the order in which a request meets them: whether a person is needed, who, how, and what must be given. */
export function GuardFields({ bench, groups }: { bench: Bench; groups: ReturnType<typeof useGroups> }) {
  const { draft, change, advice } = bench;
  const { passkeyAgeHours, scope } = draft;
  return (
    <>
      <Panel title="When a person has to approve" hint="What you leave inherited, wider policies decide.">
        <Stack>
          <Choice bench={bench} field="humanReviewForAi" label="A person reviews decisions of an AI" />
          <Advised paths={['guards.riskThreshold']} advice={advice}>
            <NumberInput
              label="A person approves above a risk of"
              description="Leave empty to inherit it."
              placeholder="Inherited"
              suffix=" %"
              min={0}
              max={100}
              decimalScale={4}
              allowNegative={false}
              value={draft.risk}
              error={advice.fault('guards.riskThreshold')}
              onChange={(risk) => change({ risk: risk === '' ? '' : Number(risk) })}
            />
          </Advised>
          <Choice
            bench={bench}
            field="riskRequired"
            label="A decision without a risk score counts as the riskiest"
          />
        </Stack>
      </Panel>
      <Panel
        title="Who approves"
        hint="Each seat takes different people. Without a seat, one administrator approves."
      >
        <Stack>
          <QuorumField {...bench} {...groups} />
          <Choice bench={bench} field="dualApproval" label="Two different people approve" />
        </Stack>
      </Panel>
      <Panel title="How approvers prove who they are">
        <Stack>
          <Advised paths={['guards.approverAuthentication']} advice={advice}>
            <Select
              label="Approver authentication"
              description="The least that an approver needs."
              clearable
              placeholder="Inherited"
              data={choicesOf(authenticationLabels)}
              value={draft.approverAuthentication}
              error={advice.fault('guards.approverAuthentication')}
              onChange={(how) =>
                change({ approverAuthentication: how as PolicyDraft['approverAuthentication'] })
              }
            />
          </Advised>
          <Advised paths={['guards.passkeyAgeHours']} advice={advice}>
            <DurationField
              label="A passkey counts once it is this old"
              description="A newer passkey does not count as a signature. Leave empty to inherit it."
              units={['hours', 'days']}
              max={OLDEST_PASSKEY}
              value={passkeyAgeHours === null ? null : passkeyAgeHours * HOUR}
              error={advice.fault('guards.passkeyAgeHours')}
              onChange={(seconds) => change({ passkeyAgeHours: seconds === null ? null : seconds / HOUR })}
            />
          </Advised>
        </Stack>
      </Panel>
      <Panel title="What must be documented">
        <Advised paths={['guards.minimumEvidenceLevel']} advice={advice}>
          <Select
            label="Minimum evidence level"
            description="Nothing below it is sealed."
            clearable
            placeholder="Inherited"
            data={levels}
            value={draft.minimumEvidenceLevel}
            error={advice.fault('guards.minimumEvidenceLevel')}
            onChange={(level) =>
              change({ minimumEvidenceLevel: level as PolicyDraft['minimumEvidenceLevel'] })
            }
          />
        </Advised>
      </Panel>
      {scope !== 'CENTER' && (
        <Panel title="Narrower policies">
          <MultiSelect
            label="They can only tighten"
            description="Of the guards that this policy sets."
            data={guardsSetBy(guardsOf(draft)).map((value) => ({ value, label: guardName(value) }))}
            value={draft.enforced}
            onChange={(enforced) => change({ enforced })}
          />
        </Panel>
      )}
    </>
  );
}

interface ChoiceProps {
  bench: Bench;
  field: 'humanReviewForAi' | 'dualApproval' | 'riskRequired';
  label: string;
}

const INHERITED = '';
const choices = [
  { value: INHERITED, label: 'Inherited' },
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** A guard that is on, off, or left to wider policies. */
function Choice({ bench: { draft, change, advice }, field, label }: ChoiceProps) {
  const value = draft[field];
  return (
    <Advised paths={[`guards.${field}`]} advice={advice}>
      <div className={classes.choice}>
        <span id={`policy-${field}`}>{label}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby={`policy-${field}`}
          data={choices}
          value={value === null ? INHERITED : String(value)}
          onChange={(chosen) => change({ [field]: chosen === INHERITED ? null : chosen === 'true' })}
        />
      </div>
    </Advised>
  );
}
