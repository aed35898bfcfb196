import { GLOBAL_BASELINE } from '@countersign/proof-kit/effective-policy';
import { policyStatements } from '@countersign/proof-kit/policy-sentences';
import { printable } from '@countersign/proof-kit/printable';
import { Button, Group, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { discardDraft, useDraft } from '../../browser/use-draft.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter, useSession } from '../../session/session-context.ts';
import { countryChoices } from '../../text/countries.ts';
import { count } from '../../text/labels.ts';
import { scopeLabels } from '../../text/policies.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import { Advised, type Bench } from './advised.tsx';
import { GuardFields } from './guard-fields.tsx';
import { CreatePolicy, OnePolicy, placeOf, policyIn, UpdatePolicy, useGroups } from './policy.ts';
import { createInput, draftOf, emptyDraft, type PolicyDraft, rulesOf } from './policy-draft.ts';
import classes from './policy-editor.module.css';
import { Statements } from './statements.tsx';
import { Trial } from './trial.tsx';
import { useAdvice } from './use-advice.ts';

const editRoute = getRouteApi('/inside/c/$center/policies/$id/edit');

export const NewPolicyScreen = () => <Editor id={null} start={emptyDraft} />;

export function EditPolicyScreen() {
  const { id } = editRoute.useParams();
  const read = useRead(OnePolicy, { id });
  return (
    <Loaded of={read} page="Policy">
      {(data) => {
        const policy = policyIn(data);
        // What was entered stays when the policy is read again.
        return policy ? (
          <Editor
            key={id}
            id={id}
            start={draftOf(policy)}
            version={policy.version}
            onOutdated={read.reload}
          />
        ) : (
          <Missing />
        );
      }}
    </Loaded>
  );
}

interface EditorProps {
  id: string | null;
  start: PolicyDraft;
  /** The version that `start` is. */
  version?: number;
  onOutdated?: () => void;
}

function Editor({ id, start, version = 0, onOutdated }: EditorProps) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const groups = useGroups();
  const [opened, setOpened] = useState({ start, version });
  const name = `policy ${id ?? 'new'}`;
  const [{ draft, base }, setState, clear, restored] = useDraft(name, {
    draft: opened.start,
    base: opened.version,
  });
  const change = (changes: Partial<PolicyDraft>) =>
    setState((before) => ({ ...before, draft: { ...before.draft, ...changes } }));
  const isChanged = JSON.stringify(draft) !== JSON.stringify(opened.start);
  const unsaved = useUnsavedChanges(isChanged, () => discardDraft(name));
  const advice = useAdvice(draft, id);
  const create = useAction(CreatePolicy, { quiet: true, done: 'The policy is active.' });
  const update = useAction(UpdatePolicy, { quiet: true, done: 'Saved as a new version.' });
  const isOutdated = base !== version;
  const startAgain = () => {
    discardDraft(name);
    setOpened({ start, version });
    setState({ draft: start, base: version });
    update.clear();
  };
  const save = async () => {
    const { scope: _, country: __, region: ___, ...input } = createInput(draft);
    const saved = id
      ? (await update.run({ input: { id, expectedVersion: base, active: draft.active, ...input } }))
          ?.updatePolicy.id
      : (await create.run({ input: createInput(draft) }))?.createPolicy.id;
    if (!saved) return onOutdated?.();
    unsaved.release();
    discardDraft(name);
    void navigate({ to: '/c/$center/policies/$id', params: { center, id: saved } });
  };
  const bench: Bench = { draft, change, advice };
  const warnings = advice.all.filter(({ level }) => level === 'warning').length;
  return (
    <Page
      title={id ? `Edit ${printable(opened.start.name)}` : 'New policy'}
      intro="A field is checked when you leave it. Warnings do not keep you from saving."
      back={
        id ? (
          <BackLink
            to="/c/$center/policies/$id"
            params={{ center, id }}
            label={printable(opened.start.name)}
          />
        ) : (
          <BackLink to="/c/$center/policies" params={{ center }} label="Policies" />
        )
      }
    >
      {unsaved.question}
      <RestoredDraft shown={restored && !isOutdated} onDiscard={clear} />
      {isOutdated && id && (
        <Panel title={`Version ${version} was saved meanwhile`} tone="warn">
          <Stack>
            <p className={classes.note}>
              You began with version {base}.{' '}
              <TextLink to="/c/$center/policies/$id" params={{ center, id }} target="_blank">
                Show what version {version} changed
              </TextLink>
              .
            </p>
            <Group>
              <Button variant="default" onClick={startAgain}>
                Start again from version {version}
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  setState((before) => ({ ...before, base: version }));
                  update.clear();
                }}
              >
                Keep my values and replace version {version}
              </Button>
            </Group>
          </Stack>
        </Panel>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <ScopeFields bench={bench} id={id} />
          <GuardFields bench={bench} groups={groups} />
        </div>
        <div className={classes.side}>
          <Panel title="What it requires" hint="The policy in sentences, as others read it.">
            <Statements of={policyStatements(rulesOf(draft), groups.groupName).map(printable)} />
          </Panel>
          <Panel title="Save">
            <Stack>
              <FailureNote failure={create.failure ?? update.failure} />
              <p className={classes.note} role="status">
                {warnings === 0 ? 'No warnings.' : `${count(warnings, 'warning')}, shown beside the fields.`}
              </p>
              <div>
                <Button loading={create.busy || update.busy} onClick={() => advice.isReady() && void save()}>
                  {id ? 'Save new version' : 'Activate'}
                </Button>
              </div>
            </Stack>
          </Panel>
        </div>
      </div>
      <Trial draft={draft} id={id} />
    </Page>
  );
}

/** The name, where the policy applies and what it covers. */
function ScopeFields({ bench, id }: { bench: Bench; id: string | null }) {
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
        {id !== null && <p className={classes.note}>It applies to: {placeOf(draft)}.</p>}
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
