import { Box, Select, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Json } from '../../graphql/graphql.ts';
import { moveTo, placesFor } from './branch-moves.ts';
import { valueAt, withValueAt } from './definitions.ts';
import {
  allSteps,
  availableAt,
  type Draft,
  type DraftStep,
  kindOf,
  type Names,
  nameOf,
  newStep,
  type Side,
  sides,
  sideTitles,
} from './draft.ts';
import { kindChoices, kinds } from './kinds.ts';
import { stepSlot, textSlot, wholeStep } from './problems.ts';
import { StepField } from './step-field.tsx';
import { StepMoves, type StepMovesProps } from './step-moves.tsx';
import classes from './workflows.module.css';

/** Shared by all steps of an editor. */
interface Workbench {
  draft: Draft;
  /** The messages to show, by their places (problems.ts). */
  shown: ReadonlyMap<string, string>;
  /** These places were left: their problems can be shown. */
  onLeave: (...slots: string[]) => void;
  events: string[];
  names: Names | undefined;
  change: (changes: Partial<Draft>) => void;
}

interface StepListProps {
  steps: DraftStep[];
  /** Where the list is in the definition: `steps`, `steps.1.yes`. */
  path: string;
  addLabel: string;
  bench: Workbench;
  onChange: (steps: DraftStep[]) => void;
}

/** Steps in order, with the sides of branches inside them. */
export function StepList({ steps, path, addLabel, bench, onChange }: StepListProps) {
  const move = (place: number, by: number) => {
    const next = [...steps];
    const [moved] = next.splice(place, 1);
    next.splice(place + by, 0, moved!);
    onChange(next);
  };
  const isOnlyOne = path === 'steps' && steps.length === 1;
  return (
    <div className={classes.steps}>
      {steps.map((each, place) => (
        <StepCard
          key={each.key}
          draft={each}
          path={`${path}.${place}`}
          later={steps.slice(place + 1).map(nameOf)}
          bench={bench}
          can={{ up: place > 0, down: place < steps.length - 1, remove: !isOnlyOne }}
          onChange={(next) => onChange(steps.map((one, at) => (at === place ? next : one)))}
          onMove={(by) => move(place, by)}
          onRemove={() => onChange(steps.filter((_, at) => at !== place))}
        />
      ))}
      <Select
        aria-label={addLabel}
        placeholder={addLabel}
        leftSection={<IconPlus size={16} />}
        data={kindChoices}
        value={null}
        onChange={(kind) => kind && onChange([...steps, newStep(kind, bench.draft)])}
      />
    </div>
  );
}

interface StepCardProps extends Pick<StepMovesProps, 'can' | 'onMove' | 'onRemove'> {
  draft: DraftStep;
  path: string;
  /** Names of the later steps in the same list. */
  later: string[];
  bench: Workbench;
  onChange: (draft: DraftStep) => void;
}

/** The editor of one step. */
function StepCard({ draft, path, later, bench, onChange, ...moves }: StepCardProps) {
  const { step } = draft;
  const kind = kindOf(draft);
  const name = nameOf(draft);
  const about = kinds[kind];
  const { steps } = bench.draft;
  const number = allSteps(steps).findIndex(({ key }) => key === draft.key) + 1;
  const toKind = (next: string | null) =>
    next && onChange({ ...draft, step: { name, kind: next, ...kinds[next]?.start } });
  const set = (at: string) => (value: Json | undefined) =>
    onChange({ ...draft, step: withValueAt(step, at, value) });
  const faultAt = (field: string) => bench.shown.get(stepSlot(draft.key, field));
  const whole = bench.shown.get(wholeStep(draft.key));
  const fields = ['name', ...(about?.fields ?? []).map((field) => field.path)];
  const isBad = whole !== undefined || fields.some((field) => faultAt(field) !== undefined);
  const leave = (field: string) => () => bench.onLeave(stepSlot(draft.key, field), wholeStep(draft.key));
  const setText = (slot: string) => (text: string | undefined) => {
    const { [slot]: _, ...others } = bench.draft.texts;
    bench.change({ texts: text === undefined ? others : { ...others, [slot]: text } });
  };
  return (
    <section className={classes.step} aria-label={`Step ${number}`} data-bad={isBad || undefined}>
      <header className={classes.stepHead}>
        <span className={classes.place} aria-hidden="true">
          {number}
        </span>
        <p>{about?.about}</p>
        <StepMoves
          number={number}
          places={placesFor(steps, draft.key)}
          onMoveTo={(place) => bench.change({ steps: moveTo(steps, draft.key, place) })}
          {...moves}
        />
      </header>
      <Stack gap="sm">
        <div className={classes.pair}>
          <TextInput
            label="Step name"
            spellCheck={false}
            value={name}
            error={faultAt('name') ?? null}
            onBlur={leave('name')}
            onChange={({ currentTarget }) => set('name')(currentTarget.value)}
          />
          <Select label="Kind" allowDeselect={false} data={kindChoices} value={kind} onChange={toKind} />
        </div>
        {about?.fields.map((field) => {
          const slot = textSlot(draft.key, kind, field.path);
          return (
            // Another kind has other fields: JSON typed for the old kind is discarded.
            <Box key={`${kind} ${field.path}`} onBlur={leave(field.path)}>
              <StepField
                field={field}
                value={valueAt(step, field.path)}
                fault={faultAt(field.path)}
                later={later}
                events={bench.events}
                names={availableAt(bench.draft, draft.key, bench.names)}
                onChange={set(field.path)}
                text={bench.draft.texts[slot]}
                onText={setText(slot)}
              />
            </Box>
          );
        })}
        {whole && <p className={classes.fault}>{whole}</p>}
        {kind === 'branch' && <Sides draft={draft} path={path} bench={bench} onChange={onChange} />}
      </Stack>
    </section>
  );
}

const sideTexts: Record<Side, { add: string; empty: string }> = {
  yes: { add: 'Add step if true', empty: 'Nothing happens on this side yet.' },
  no: { add: 'Add step otherwise', empty: 'Nothing happens on this side.' },
};

type SidesProps = Pick<StepCardProps, 'draft' | 'path' | 'bench' | 'onChange'>;

function Sides({ draft, path, bench, onChange }: SidesProps) {
  return (
    <div className={classes.branch}>
      {sides.map((side) => (
        <section
          key={side}
          className={classes.branchSide}
          aria-label={`${nameOf(draft)}: ${sideTitles[side]}`}
        >
          <p className={classes.sideTitle}>{sideTitles[side]}</p>
          {draft[side].length === 0 && <p className={classes.small}>{sideTexts[side].empty}</p>}
          <StepList
            steps={draft[side]}
            path={`${path}.${side}`}
            addLabel={sideTexts[side].add}
            bench={bench}
            onChange={(steps) => onChange({ ...draft, [side]: steps })}
          />
        </section>
      ))}
      <p className={classes.join}>Both sides continue with the next step.</p>
    </div>
  );
}
