import { quorumOf } from '@countersign/proof-kit/quorum';
import { type GroupName, seatPhrase } from '@countersign/proof-kit/seat-sentences';
import { ActionIcon, Button, NumberInput, Select, Stack, Switch } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { sentenceCase } from '../../text/labels.ts';
import { authenticationLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Advised, type Bench } from './advised.tsx';
import { DurationField } from './duration-field.tsx';
import type { useGroups } from './policy.ts';
import { rulesOf, type SeatDraft } from './policy-draft.ts';
import classes from './quorum-field.module.css';

interface QuorumFieldProps extends Bench, ReturnType<typeof useGroups> {}

const MOST_SEATS = 5;
const ANYONE = '';
const LONGEST_ESCALATION = 604_800;

/** The quorum: seats, their order, and the escalation. */
export function QuorumField({ draft, change, advice, groups, groupName }: QuorumFieldProps) {
  const { seats, ordered, escalateAfterSeconds, escalateToGroup } = draft;
  // Wider policies cover several centers, so their seats name no group.
  const choices = draft.scope === 'CENTER' ? groups.map(({ id, name }) => ({ value: id, label: name })) : [];
  const add = () => change({ seats: [...seats, { group: null, count: 1, authentication: null }] });
  return (
    <Stack gap={12}>
      <Advised paths={['guards.quorum']} advice={advice}>
        <ol className={classes.seats}>
          {seats.map((seat, i) => (
            <SeatField
              // biome-ignore lint/suspicious/noArrayIndexKey: seats are identified by their number
              key={i}
              at={i}
              seat={seat}
              advice={advice}
              choices={choices}
              sentence={sentenceOf(rulesOf(draft), i, groupName)}
              onChange={(part) =>
                change({ seats: seats.map((each, at) => (at === i ? { ...each, ...part } : each)) })
              }
              onRemove={() => change({ seats: seats.filter((_, at) => at !== i) })}
            />
          ))}
        </ol>
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={seats.length >= MOST_SEATS}
            onClick={add}
          >
            Add a seat
          </Button>
        </div>
      </Advised>
      {seats.length > 1 && (
        <Switch
          label="In this order"
          description="A later seat waits until the earlier ones are filled."
          checked={ordered}
          onChange={({ currentTarget }) => change({ ordered: currentTarget.checked })}
        />
      )}
      {seats.length > 0 && choices.length > 0 && (
        <div className={classes.escalation}>
          <Advised paths={['guards.escalateAfterSeconds']} advice={advice}>
            <DurationField
              label="Escalate after"
              description="Leave empty for never."
              units={['seconds', 'minutes', 'hours', 'days']}
              max={LONGEST_ESCALATION}
              value={escalateAfterSeconds}
              error={advice.fault('guards.escalateAfterSeconds')}
              onChange={(seconds) => change({ escalateAfterSeconds: seconds })}
            />
          </Advised>
          <Advised paths={['guards.escalateToGroup']} advice={advice}>
            <Select
              label="To"
              description="Its members can fill open seats then."
              placeholder="No group"
              clearable
              data={choices}
              value={escalateToGroup}
              error={advice.fault('guards.escalateToGroup')}
              onChange={(group) => change({ escalateToGroup: group })}
            />
          </Advised>
        </div>
      )}
    </Stack>
  );
}

function sentenceOf(guards: ReturnType<typeof rulesOf>, at: number, groupName: GroupName): string {
  const seat = quorumOf(guards)?.seats[at];
  return seat ? `${sentenceCase(seatPhrase(seat, groupName))}.` : '';
}

interface SeatFieldProps extends Pick<Bench, 'advice'> {
  at: number;
  seat: SeatDraft;
  sentence: string;
  choices: { value: string; label: string }[];
  onChange: (part: Partial<SeatDraft>) => void;
  onRemove: () => void;
}

/** One seat. */
function SeatField({ at, seat, sentence, advice, choices, onChange, onRemove }: SeatFieldProps) {
  const path = `guards.quorum.${at}`;
  const name = `Seat ${at + 1}`;
  return (
    <li className={classes.seat}>
      <div className={classes.head}>
        <p>
          <strong>{name}:</strong> {sentence}
        </p>
        <ActionIcon
          variant="subtle"
          color="red"
          size="lg"
          aria-label={`Remove seat ${at + 1}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </div>
      <Advised paths={[path, `${path}.count`, `${path}.group`, `${path}.authentication`]} advice={advice}>
        <div className={classes.fields}>
          <NumberInput
            label="Number of people"
            aria-label={`${name}: how many`}
            min={1}
            max={10}
            allowDecimal={false}
            allowNegative={false}
            value={seat.count}
            error={advice.fault(`${path}.count`)}
            onChange={(count) => onChange({ count: count === '' ? '' : Number(count) })}
          />
          <Select
            label="Of"
            aria-label={`${name}: of`}
            allowDeselect={false}
            data={[{ value: ANYONE, label: 'Any human' }, ...choices]}
            value={seat.group ?? ANYONE}
            error={advice.fault(`${path}.group`)}
            onChange={(group) => onChange({ group: group || null })}
          />
          <Select
            label="Authentication"
            aria-label={`${name}: authentication`}
            clearable
            placeholder="Default"
            data={choicesOf(authenticationLabels)}
            value={seat.authentication}
            error={advice.fault(`${path}.authentication`)}
            onChange={(authentication) =>
              onChange({ authentication: authentication as SeatDraft['authentication'] })
            }
          />
        </div>
      </Advised>
    </li>
  );
}
