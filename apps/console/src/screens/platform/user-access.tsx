import { printable } from '@countersign/proof-kit/printable';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session-context.ts';
import { count } from '../../text/labels.ts';
import { RowDialog } from '../../ui/form-dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useRowDialog } from '../../ui/use-row-dialog.ts';
import { EndSessions, Grant, type Person, Reactivate, Revoke } from './one-person.ts';
import classes from './user-access.module.css';
import { ConfirmForm, SuspendForm } from './user-act-forms.tsx';

interface Act {
  title: string;
  form: (onDone: () => void) => ReactNode;
}

interface UserAccessProps {
  person: Person;
  onDone: () => void;
}

/** Ends the sessions of a person, suspends the account, and makes its owner a platform administrator. */
export function UserAccess({ person: account, onDone }: UserAccessProps) {
  const { me } = useSession();
  const dialog = useRowDialog<Act>();
  // People choose their own names, and two can look alike.
  const person = { ...account, name: printable(account.name) };
  const contact = account.email ?? account.phone;
  if (person.id === me.actorId) {
    return (
      <Panel title="Access">
        This is your own account. Another platform administrator can end its sessions or suspend it.
      </Panel>
    );
  }
  const rows = [sessionsRow(person), platformRow(person), accountRow(person)];
  return (
    <Panel
      title="Access"
      hint="Each change is recorded in the audit log and requires a recent sign-in."
      flush
    >
      <ul className={classes.rows}>
        {rows.map(({ title, about, button, isRed, isDisabled, act }) => (
          <li key={title}>
            <span>
              <strong>{title}</strong>
              <span className={classes.about}>{about}</span>
            </span>
            <Button
              size="xs"
              variant="default"
              disabled={isDisabled ?? false}
              {...(isRed && { c: 'var(--cs-bad)' })}
              onClick={() => dialog.show(act)}
            >
              {button}
            </Button>
          </li>
        ))}
      </ul>
      <RowDialog of={dialog} title={({ title }) => title} onDone={onDone}>
        {({ form }, done) => (
          <>
            {contact && <p className={classes.contact}>{printable(contact)}</p>}
            {form(done)}
          </>
        )}
      </RowDialog>
    </Panel>
  );
}

interface AccessRow {
  title: string;
  about: string;
  button: string;
  isRed?: boolean;
  isDisabled?: boolean;
  act: Act;
}

const sessionsRow = ({ id, name, activeSessions }: Person): AccessRow => ({
  title: 'Sessions',
  about: activeSessions === 0 ? 'Not signed in.' : `Signed in: ${count(activeSessions, 'active session')}.`,
  button: 'End sessions',
  isDisabled: activeSessions === 0,
  act: {
    title: `End the sessions of ${name}?`,
    form: (onDone) => (
      <ConfirmForm
        mutation={EndSessions}
        id={id}
        verb="End sessions"
        done="The sessions ended."
        onDone={onDone}
      >
        {name} is signed out on all devices at once, and loses what is not saved. The account stays active: it
        can sign in again.
      </ConfirmForm>
    ),
  },
});

function platformRow({ id, name, platformAdmin, suspendedAt }: Person): AccessRow {
  const title = 'Platform administration';
  if (platformAdmin) {
    return {
      title,
      about: 'Administers the whole installation.',
      button: 'Remove platform administrator',
      isRed: true,
      act: {
        title: `Remove ${name} as a platform administrator?`,
        form: (onDone) => (
          <ConfirmForm
            mutation={Revoke}
            id={id}
            verb="Remove platform administrator"
            done={`${name} is no longer a platform administrator.`}
            isRed
            onDone={onDone}
          >
            {name} loses access to the installation, to all partners, centers and users at once. Memberships
            in centers stay as they are.
          </ConfirmForm>
        ),
      },
    };
  }
  return {
    title,
    about: suspendedAt ? 'Restore the account first.' : 'Does not administer the installation.',
    button: 'Make platform administrator',
    isDisabled: suspendedAt !== null,
    act: {
      title: `Make ${name} a platform administrator?`,
      form: (onDone) => (
        <ConfirmForm
          mutation={Grant}
          id={id}
          verb="Make platform administrator"
          done={`${name} is a platform administrator.`}
          onDone={onDone}
        >
          {name} can then see and change all partners, centers and users, create and end centers, suspend
          accounts, and remove other platform administrators, including you. Records inside centers stay
          visible to their members only.
        </ConfirmForm>
      ),
    },
  };
}

function accountRow(person: Person): AccessRow {
  const { id, name, suspendedAt } = person;
  if (suspendedAt) {
    return {
      title: 'Account',
      about: 'Suspended: it cannot sign in.',
      button: 'Restore account',
      act: {
        title: `Restore the account of ${name}?`,
        form: (onDone) => (
          <ConfirmForm
            mutation={Reactivate}
            id={id}
            verb="Restore account"
            done="The account can sign in again."
            onDone={onDone}
          >
            {name} can sign in again, with the same memberships. Sessions and delegations that the suspension
            ended stay ended.
          </ConfirmForm>
        ),
      },
    };
  }
  return {
    title: 'Account',
    about: 'Active: it can sign in.',
    button: 'Suspend account',
    isRed: true,
    act: {
      title: `Suspend the account of ${name}?`,
      form: (onDone) => <SuspendForm person={person} onDone={onDone} />,
    },
  };
}
