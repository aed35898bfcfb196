import { Button, Group, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql, type VariablesOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { enterCenter } from '../../session/session.ts';
import { useSession } from '../../session/session-context.ts';
import { money, slugOf } from '../../text/format.ts';
import { count, verticalLabels } from '../../text/labels.ts';
import { deviceZone } from '../../text/time.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { choicesOf } from '../../ui/filters.tsx';
import { filled, useActionForm } from '../../ui/form-dialog.tsx';
import { Lines } from '../../ui/states.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import classes from './centers.module.css';
import { EntryFrame, SignOutButton } from './entry-frame.tsx';
import plans from './welcome.module.css';

const CenterPlans = graphql(`
  query CenterPlans { plans(kind: CENTER) { id name vertical priceMonthly currency seatLimit includes { id name } } }
`);
const Available = graphql(
  `query Available($subdomain: String!) { subdomainAvailable(subdomain: $subdomain) }`,
);
const Provision = graphql(`
  mutation Provision($input: ProvisionCenterInput!) {
    provisionCenter(input: $input) { center { id centerDomain } }
  }
`);

type Vertical = NonNullable<VariablesOf<typeof Provision>['input']['vertical']>;

const Former = graphql(`
  query FormerMemberships { me { memberships { id centerName status endedAt } } }
`);

/** For people who can enter no center: the reason, and how to create a center. */
export default function WelcomeScreen() {
  const read = useRead(Former, {});
  const [creating, setCreating] = useState(false);
  const memberships = read.data?.me.memberships;
  const locked = memberships?.filter(({ status }) => status === 'SUSPENDED' || status === 'ACTIVE') ?? [];
  if (!memberships && !read.failure) {
    return (
      <EntryFrame title="One moment">
        <Lines count={3} />
      </EntryFrame>
    );
  }
  if (locked.length > 0 && !creating) {
    return <LockedOut memberships={locked} onCreate={() => setCreating(true)} />;
  }
  const ended = memberships?.find(({ status }) => status === 'ENDED');
  return <NewCenter former={ended?.centerName ?? null} />;
}

interface LockedOutProps {
  memberships: { id: string; centerName: string; status: string }[];
  onCreate: () => void;
}

/** A suspended membership, or an active one in a suspended center. */
function LockedOut({ memberships, onCreate }: LockedOutProps) {
  return (
    <EntryFrame title="You have no access right now" foot={<SignOutButton />}>
      <Stack>
        <ul className={classes.list}>
          {memberships.map(({ id, centerName, status }) => (
            <li key={id} className={classes.center}>
              <span className={classes.words}>
                <strong>{centerName}</strong>
                <span>
                  {status === 'SUSPENDED'
                    ? 'Your membership is suspended. Ask an administrator of the center to reinstate it.'
                    : 'The center is suspended. Ask its partner or the operator of this service.'}
                </span>
              </span>
            </li>
          ))}
        </ul>
        <Button variant="default" onClick={onCreate}>
          Create another center
        </Button>
      </Stack>
    </EntryFrame>
  );
}

/** Creates a center for the signed-in person. */
function NewCenter({ former }: { former: string | null }) {
  const { me } = useSession();
  // Pressing the button again repeats the same order, so it creates one center.
  const [orderId] = useState(() => crypto.randomUUID());
  const read = useRead(CenterPlans, {});
  const [typed, setTyped] = useState(false);
  const { form, act, field, onSubmit } = useActionForm(Provision, {
    initialValues: { centerName: '', subdomain: '', vertical: '', timezone: deviceZone(), planId: '' },
    validate: {
      centerName: (value) => (value.trim().length < 2 ? 'Enter a name.' : null),
      subdomain: (value) =>
        /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value)
          ? null
          : 'Lowercase letters, digits and dashes; the first and last character must be a letter or digit.',
      vertical: filled('Choose a vertical.'),
      planId: filled('Choose a plan. The first days are a trial.'),
    },
    input: (values) => ({
      ...values,
      vertical: values.vertical as Vertical,
      orderId,
      adminActorId: me.actorId,
    }),
    onDone: async ({ provisionCenter: { center } }) => {
      await enterCenter(center.id);
      location.assign(`/c/${center.centerDomain}`);
    },
  });
  const { centerName, subdomain, vertical } = form.values;
  const [asked] = useDebouncedValue(subdomain, 300);
  const available = useRead(Available, { subdomain: asked }, { pause: asked.length < 2 });
  // Until the response arrives, the shown result is about the previous name.
  const known = asked === subdomain && !available.loading;
  const taken = known && available.data?.subdomainAvailable === false;
  const fitting =
    read.data?.plans.filter((plan) => plan.vertical === null || plan.vertical === vertical) ?? [];
  return (
    <EntryFrame
      wide
      title={`Welcome, ${me.name.split(' ')[0]}`}
      intro={
        former
          ? `Your membership in ${former} has ended. Create a center, or wait for an invitation by email.`
          : 'You are not a member of a center yet. Create one, or wait for an invitation by email.'
      }
      foot={<SignOutButton />}
    >
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="lg">
          <FailureNote failure={act.failure} />
          <TextInput
            label="Name of the center"
            placeholder="Riverside Rehabilitation"
            {...field('centerName')}
            onChange={({ currentTarget: { value } }) => {
              form.setFieldValue('centerName', value);
              if (!typed) form.setFieldValue('subdomain', slugOf(value));
            }}
          />
          <TextInput
            label="Address"
            description="Used in links and in the API. It cannot be changed later."
            {...field('subdomain')}
            error={form.errors['subdomain'] ?? (taken ? 'This domain is taken. Choose another.' : null)}
            onChange={({ currentTarget: { value } }) => {
              setTyped(true);
              form.setFieldValue('subdomain', value.toLowerCase());
            }}
          />
          <Select
            label="Vertical"
            placeholder="Choose"
            data={choicesOf(verticalLabels)}
            {...field('vertical')}
          />
          <ZoneSelect
            description="Days, schedules and times of the center follow it. You can change it later."
            {...field('timezone')}
          />
          <Radio.Group label="Plan" {...field('planId')}>
            <div className={plans.plans}>
              {fitting.map((plan) => (
                <Radio.Card key={plan.id} value={plan.id} className={plans.plan!} radius="md">
                  <Group justify="space-between" wrap="nowrap" align="flex-start">
                    <div>
                      <strong>{plan.name}</strong>
                      <p className={plans.price}>
                        {money(plan.priceMonthly, plan.currency)} <span>a month</span>
                      </p>
                      <p className={plans.seats}>Up to {count(plan.seatLimit, 'member')}</p>
                      <p className={plans.seats}>{plan.includes.map(({ name }) => name).join(', ')}</p>
                    </div>
                    <Radio.Indicator />
                  </Group>
                </Radio.Card>
              ))}
            </div>
          </Radio.Group>
          <Button type="submit" size="md" loading={act.busy} disabled={taken}>
            Create {centerName.trim() || 'center'}
          </Button>
        </Stack>
      </form>
    </EntryFrame>
  );
}
