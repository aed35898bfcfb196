import { Button, Checkbox, List, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../../graphql/use-action.ts';
import { useSession } from '../../../session/session-context.ts';
import { count } from '../../../text/labels.ts';
import { ActionForm } from '../../../ui/form-dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Lines, Loaded } from '../../../ui/states.tsx';
import { inputOf, type Provider, SaveProvider, valuesOf } from './provider.ts';
import classes from './require-provider.module.css';
import { type ActiveMember, isLockedOut, useActiveMembers } from './use-active-members.ts';

interface RequireProviderProps {
  provider: Provider;
  onDone: () => void;
}

/** Whether passwords and passkeys still open the center. */
export function RequireProvider({ provider, onDone }: RequireProviderProps) {
  const { name, required } = provider;
  const [opened, { open, close }] = useDisclosure();
  const end = useAction(SaveProvider, { done: 'Passwords and passkeys open the center again.' });
  const makeOptional = () =>
    void end.run({ input: inputOf(valuesOf(provider), false) }).then((data) => data && onDone());
  return (
    <Panel
      title="Require company sign-in"
      hint="Passwords and passkeys then do not open the center, except for administrators with emergency access. API keys keep working."
    >
      <Stack gap={12} align="flex-start">
        <Pill tone={required ? 'good' : 'quiet'}>
          {required ? `Only ${name}` : `${name}, password or passkey`}
        </Pill>
        {required ? (
          <Button variant="default" loading={end.busy} onClick={makeOptional}>
            Make it optional
          </Button>
        ) : (
          <Button variant="default" onClick={open}>
            Require {name}
          </Button>
        )}
      </Stack>
      <Modal opened={opened} onClose={close} title={`Require ${name}?`} size="lg">
        <RequireForm
          provider={provider}
          onDone={() => {
            close();
            onDone();
          }}
        />
      </Modal>
    </Panel>
  );
}

const MOST_NAMES = 20;

/** What must be true before, and who loses access. */
function RequireForm({ provider, onDone }: RequireProviderProps) {
  const { me } = useSession();
  const members = useActiveMembers();
  const act = useAction(SaveProvider, { quiet: true, done: `Members now sign in through ${provider.name}.` });
  const [isSure, setSure] = useState(false);
  const require = () =>
    void act.run({ input: inputOf(valuesOf(provider), true) }).then((data) => data && onDone());
  return (
    <Loaded of={members} skeleton={<Lines count={4} />} small>
      {(active) => {
        const emergency = active.filter((member) => member.emergencyAccess);
        const lockedOut = active.filter(isLockedOut);
        const isReady = provider.testedAt !== null && emergency.length > 0;
        return (
          <ActionForm
            act={act}
            verb={`Require ${provider.name}`}
            disabled={!isReady || (lockedOut.length > 0 && !isSure)}
            onSubmit={require}
          >
            <ul className={classes.checks}>
              <Check isMet={provider.testedAt !== null}>
                {provider.testedAt
                  ? 'A test of the saved settings succeeded.'
                  : 'Save the settings and choose “Test this provider” first. The test must succeed.'}
              </Check>
              <Check isMet={emergency.length > 0}>
                {emergency.length > 0
                  ? `${namesOf(emergency)} can still sign in with a password or passkey if the provider fails.`
                  : 'Mark an administrator under “Emergency access” first. Otherwise a failure of the provider would lock out everyone.'}
              </Check>
            </ul>
            {lockedOut.length > 0 && (
              <>
                <div>
                  <Pill tone="warn">{count(lockedOut.length, 'member')} would be locked out</Pill>
                  <Text size="sm" mt={8}>
                    They have not signed in through {provider.name} yet, and lose access until they do:
                  </Text>
                  <List size="sm" mt={6}>
                    {mineFirst(lockedOut, me.actorId)
                      .slice(0, MOST_NAMES)
                      .map(({ id, actorId, name, email }) => (
                        <List.Item key={id}>
                          {name || email}
                          {actorId === me.actorId && ' (you)'}
                        </List.Item>
                      ))}
                    {lockedOut.length > MOST_NAMES && (
                      <List.Item>and {count(lockedOut.length - MOST_NAMES, 'other')}</List.Item>
                    )}
                  </List>
                </div>
                <Checkbox
                  label="Lock them out until they sign in there"
                  checked={isSure}
                  onChange={({ currentTarget }) => setSure(currentTarget.checked)}
                />
              </>
            )}
          </ActionForm>
        );
      }}
    </Loaded>
  );
}

const mineFirst = (members: ActiveMember[], actorId: string) =>
  members.toSorted((one, other) => Number(other.actorId === actorId) - Number(one.actorId === actorId));

const namesOf = (members: ActiveMember[]) => members.map(({ name, email }) => name || email).join(', ');

const Check = ({ isMet, children }: { isMet: boolean; children: ReactNode }) => (
  <li data-met={isMet || undefined}>
    {isMet ? <IconCheck size={16} aria-label="Done:" /> : <IconX size={16} aria-label="Missing:" />}
    <span>{children}</span>
  </li>
);
