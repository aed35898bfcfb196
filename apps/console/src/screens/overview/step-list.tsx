import { Button } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { graphql } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { Panel } from '../../ui/panel.tsx';
import { useRefresh } from '../../ui/use-refresh.ts';
import type { Steps } from './first-steps-query.ts';
import { PasskeyStep, PracticeStep, StepLink, ZoneStep } from './step-actions.tsx';
import classes from './step-list.module.css';

const Dismiss = graphql(`mutation DismissFirstSteps { dismissFirstSteps { dismissedAt } }`);

type Kind = Steps['steps'][number]['kind'];

interface Step {
  title: string;
  about: string;
  /** How to do it; a step that is done offers this only where there is something to see. */
  action: (step: { done: boolean; practiceEventId: string | null; reload: () => void }) => ReactNode;
}

const steps: Record<Kind, Step> = {
  TIME_ZONE: {
    title: 'Choose the time zone',
    about: 'Days, schedules and all times of the center follow it.',
    action: ({ done, reload }) => !done && <ZoneStep onDone={reload} />,
  },
  PASSKEY: {
    title: 'Add a passkey to your account',
    about: 'Sign in without a password, and sign approvals that require a signature.',
    action: ({ done }) => !done && <PasskeyStep />,
  },
  SECOND_ADMIN: {
    title: 'Invite a second administrator',
    about: 'You cannot approve your own requests, and the center stays reachable without you.',
    action: ({ done }) =>
      !done && (
        <StepLink to="/c/$center/people" command="invite-person">
          Invite person
        </StepLink>
      ),
  },
  POLICY: {
    title: 'Activate a policy',
    about: 'Policies determine which actions of agents wait for a person, and for whom.',
    action: ({ done }) => !done && <StepLink to="/c/$center/policies/new">New policy</StepLink>,
  },
  AGENT_KEY: {
    title: 'Connect an agent',
    about: 'Create an API key. It is shown once, with a configuration for agents that use MCP.',
    action: ({ done }) =>
      !done && (
        <StepLink to="/c/$center/api-keys" command="new-key">
          New key
        </StepLink>
      ),
  },
  PRACTICE: {
    title: 'Practice an approval',
    about: 'Approve or reject a request that nothing depends on, and see its record and its proof.',
    action: ({ done, practiceEventId }) => <PracticeStep done={done} eventId={practiceEventId} />,
  },
};

export default function StepList({
  of: { steps: listed, practiceEventId },
  reload,
}: {
  of: Steps;
  reload: () => void;
}) {
  const dismiss = useAction(Dismiss);
  // A passkey belongs to the person: the center has no event about it.
  useRefresh(reload);
  return (
    <Panel
      title="Get started"
      hint={`${listed.filter(({ done }) => done).length} of ${listed.length} done`}
      actions={
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          loading={dismiss.busy}
          onClick={() => void dismiss.run({}).then(reload)}
        >
          Dismiss
        </Button>
      }
      flush
    >
      <ul className={classes.steps}>
        {listed.map(({ kind, done }) => {
          const { title, about, action } = steps[kind];
          return (
            <li key={kind} className={classes.step} data-done={done || undefined}>
              {done ? (
                <IconCircleCheckFilled size={22} className={classes.tick!} aria-hidden="true" />
              ) : (
                <IconCircle size={22} className={classes.open!} stroke={1.5} aria-hidden="true" />
              )}
              <span className={classes.words}>
                <span className={classes.title}>
                  {title}
                  {done && <span className="visually-hidden"> (done)</span>}
                </span>
                {!done && <span className={classes.about}>{about}</span>}
              </span>
              <span className={classes.action}>{action({ done, practiceEventId, reload })}</span>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
