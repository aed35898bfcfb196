import { ActionIcon, Button, Fieldset, Group, NumberInput, Select, Stack, Switch } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRead } from '../../graphql/use-read.ts';
import { authenticationLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Groups } from '../groups/group.ts';
import type { Policy } from './policy.ts';
import classes from './quorum-field.module.css';

type Guards = Policy['guards'];
type Seat = NonNullable<Guards['quorum']>[number];
/** The guards that this field changes. */
export type QuorumValue = Partial<
  Pick<Guards, 'quorum' | 'quorumOrdered' | 'escalateAfterSeconds' | 'escalateToGroup'>
>;

interface QuorumFieldProps {
  value: QuorumValue;
  onChange: (value: QuorumValue) => void;
  /** Wider policies cover several centers, so their seats name no group. */
  mayNameGroups: boolean;
}

const MOST_SEATS = 5;
const ANYONE = '';
/** In seconds. */
const HOUR = 3_600;

/** The quorum: seats, their order, and the escalation. */
export function QuorumField({ value, onChange, mayNameGroups }: QuorumFieldProps) {
  const read = useRead(Groups, {});
  const groups = (read.data?.groups.edges ?? []).map(({ node }) => ({ value: node.id, label: node.name }));
  const { quorumOrdered, escalateAfterSeconds, escalateToGroup = null } = value;
  const seats = value.quorum ?? [];
  const change = (part: Partial<QuorumValue>) => onChange({ ...value, ...part });
  const changeSeat = (at: number, part: Partial<Seat>) =>
    change({ quorum: seats.map((seat, i) => (i === at ? { ...seat, ...part } : seat)) });
  const add = () => change({ quorum: [...seats, { group: null, count: 1, authentication: null }] });
  return (
    <Fieldset legend="People who have to approve">
      <Stack gap={12}>
        {seats.map((seat, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: seats are identified by their number
          <div key={i} className={classes.seat}>
            <NumberInput
              label="Number of people"
              aria-label={`Seat ${i + 1}: how many`}
              min={1}
              max={10}
              allowDecimal={false}
              value={seat.count}
              onChange={(count) => changeSeat(i, { count: Number(count) || 1 })}
            />
            <Select
              label="Of"
              aria-label={`Seat ${i + 1}: of`}
              allowDeselect={false}
              data={[{ value: ANYONE, label: 'Any human' }, ...(mayNameGroups ? groups : [])]}
              value={seat.group ?? ANYONE}
              onChange={(group) => changeSeat(i, { group: group || null })}
            />
            <Select
              label="Authentication"
              aria-label={`Seat ${i + 1}: how they prove who they are`}
              clearable
              placeholder="Default"
              data={choicesOf(authenticationLabels)}
              value={seat.authentication}
              onChange={(authentication) =>
                changeSeat(i, { authentication: authentication as Seat['authentication'] })
              }
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={`Remove seat ${i + 1}`}
              onClick={() => change({ quorum: seats.filter((_, at) => at !== i) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        ))}
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
        {seats.length > 1 && (
          <Switch
            label="In this order"
            description="A later seat waits until the earlier ones are filled."
            checked={quorumOrdered ?? false}
            onChange={({ currentTarget }) => change({ quorumOrdered: currentTarget.checked })}
          />
        )}
        {seats.length > 0 && mayNameGroups && (
          <Group grow align="flex-start">
            <NumberInput
              label="Escalate after"
              description="Left empty, never."
              suffix=" hours"
              min={1}
              max={168}
              allowDecimal={false}
              value={escalateAfterSeconds ? escalateAfterSeconds / HOUR : ''}
              onChange={(hours) =>
                change({ escalateAfterSeconds: hours === '' ? null : Math.round(Number(hours) * HOUR) })
              }
            />
            <Select
              label="To"
              description="They may fill any open seat then."
              clearable
              data={groups}
              value={escalateToGroup}
              onChange={(group) => change({ escalateToGroup: group })}
            />
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

/** The input of the mutation; empty without seats. */
export function quorumGuards(value: QuorumValue) {
  const { quorum, quorumOrdered, escalateAfterSeconds, escalateToGroup } = value;
  if (!quorum?.length) return {};
  return {
    // Without __typename, which the input type does not know.
    quorum: quorum.map(({ group, count, authentication }) => ({ group, count, authentication })),
    quorumOrdered: quorumOrdered ?? false,
    ...(escalateAfterSeconds && escalateToGroup && { escalateAfterSeconds, escalateToGroup }),
  };
}
