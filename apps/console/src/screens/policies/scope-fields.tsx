import { GLOBAL_BASELINE } from '@countersign/proof-kit/effective-policy';
import { Group, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useSession } from '../../session/session-context.ts';
import { countryChoices } from '../../text/countries.ts';
import { scopeLabels } from '../../text/policies.ts';
import { choicesOf } from '../../ui/filters.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Advised, type Bench } from './advised.tsx';
import { placeOf } from './policy.ts';
import type { PolicyDraft } from './policy-draft.ts';
import classes from './scope-fields.module.css';

/** The name, where the policy applies and what it covers. */
export function ScopeFields({ bench, id }: { bench: Bench; id: string | null }) {
  const { draft, change, advice } = bench;
  const { me } = useSession();
  const { name, scope, country, region, actionPattern } = draft;
  const isBaseline = id === GLOBAL_BASELINE.id;
  return (
    <Panel title="Policy">
      <Stack>
        <Advised paths={['name']} advice={advice}>
          <TextInput
            label="Name"
            required
            value={name}
            error={advice.fault('name')}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </Advised>
        <Advised paths={['actionPattern']} advice={advice}>
          <TextInput
            label="Actions"
            description={
              isBaseline
                ? 'The baseline covers every action.'
                : 'An action type, a prefix followed by .*, or * for all.'
            }
            placeholder="refund.*"
            classNames={{ input: 'mono' }}
            disabled={isBaseline}
            value={actionPattern}
            error={advice.fault('actionPattern')}
            onChange={({ currentTarget }) => change({ actionPattern: currentTarget.value })}
          />
        </Advised>
        {id !== null && <p className={classes.place}>It applies to: {placeOf(draft)}.</p>}
        {id === null && me.platformAdmin && (
          <Select
            label="Applies to"
            allowDeselect={false}
            data={choicesOf(scopeLabels)}
            value={scope}
            onChange={(wide) => {
              const isOwn = wide === 'CENTER';
              // Groups belong to one center.
              const seats = draft.seats.map((seat) => (isOwn ? seat : { ...seat, group: null }));
              const escalation = isOwn ? {} : { escalateAfterSeconds: null, escalateToGroup: null };
              change({ scope: wide as PolicyDraft['scope'], seats, ...escalation });
            }}
          />
        )}
        {id === null && (scope === 'COUNTRY' || scope === 'REGION') && (
          <Group grow align="flex-start">
            <Advised paths={['country']} advice={advice}>
              <NativeSelect
                label="Country"
                data={[{ value: '', label: 'Choose a country' }, ...countryChoices]}
                value={country}
                error={advice.fault('country')}
                onChange={({ currentTarget }) => change({ country: currentTarget.value })}
              />
            </Advised>
            {scope === 'REGION' && (
              <Advised paths={['region']} advice={advice}>
                <TextInput
                  label="Region"
                  value={region}
                  error={advice.fault('region')}
                  onChange={({ currentTarget }) => change({ region: currentTarget.value })}
                />
              </Advised>
            )}
          </Group>
        )}
        {id !== null && !isBaseline && (
          <Switch
            label="In force"
            description="A policy that is off is ignored. Warnings and Try it show what it would do in force."
            checked={draft.active}
            onChange={({ currentTarget }) => change({ active: currentTarget.checked })}
          />
        )}
      </Stack>
    </Panel>
  );
}
