import { policyStatements } from '@countersign/proof-kit/policy-sentences';
import { printable } from '@countersign/proof-kit/printable';
import { Button, Group, Stack } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { discardDraft, useDraft } from '../../browser/use-draft.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useCenter } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RestoredDraft } from '../../ui/restored-draft.tsx';
import { Loaded, Missing } from '../../ui/states.tsx';
import { useUnsavedChanges } from '../../ui/use-unsaved-changes.tsx';
import type { Bench } from './advised.tsx';
import { GuardFields } from './guard-fields.tsx';
import { CreatePolicy, OnePolicy, policyIn, UpdatePolicy, useGroups } from './policy.ts';
import { createInput, draftOf, emptyDraft, type PolicyDraft, rulesOf } from './policy-draft.ts';
import classes from './policy-editor.module.css';
import { ScopeFields } from './scope-fields.tsx';
import { Statements } from './statements.tsx';
import { Trial } from './trial.tsx';
import { useAdvice } from './use-advice.ts';

const editRoute = getRouteApi('/inside/c/$center/policies/$id/edit');

export const NewPolicyScreen = () => <Editor id={null} start={emptyDraft} />;

export function EditPolicyScreen() {
  const { id } = editRoute.useParams();
  const read = useRead(OnePolicy, { id });
  const [round, setRound] = useState(0);
  return (
    <Loaded of={read} page="Policy">
      {(data) => {
        const policy = policyIn(data);
        // What was entered stays when the policy is read again.
        return policy ? (
          <Editor
            key={`${id} ${round}`}
            id={id}
            start={draftOf(policy)}
            version={policy.version}
            onOutdated={read.reload}
            onStartAgain={() => setRound(round + 1)}
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
  /** Saving failed: there may be a newer version. */
  onOutdated?: () => void;
  /** The draft was discarded: a new editor begins with the current version. */
  onStartAgain?: () => void;
}

function Editor({ id, start, version = 0, onOutdated, onStartAgain }: EditorProps) {
  const { centerDomain: center } = useCenter();
  const navigate = useNavigate();
  const groups = useGroups();
  const [opened] = useState({ start, version });
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
    onStartAgain?.();
  };
  const adoptNewer = useEffectEvent(startAgain);
  // Without changes, there is nothing to keep of the older version.
  useEffect(() => {
    if (isOutdated && !isChanged) adoptNewer();
  }, [isOutdated, isChanged]);
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
      {isOutdated && isChanged && id && (
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
