import { Checkbox, NativeSelect, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useAuditEvents } from '../../session/live-center.tsx';
import { invalidateSession } from '../../session/session.ts';
import { useCenter, useRoleNames } from '../../session/session-context.ts';
import { countryChoices } from '../../text/countries.ts';
import { disclosable } from '../../text/labels.ts';
import { ActionForm, filled, useActionForm } from '../../ui/form-dialog.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FormSkeleton, PanelsSkeleton } from '../../ui/skeletons.tsx';
import { Loaded } from '../../ui/states.tsx';
import { ZoneSelect } from '../../ui/zone-select.tsx';
import type { ActionTypeWords } from './action-type.ts';
import { ActionTypes } from './action-types.tsx';
import { ChatChannels } from './chat-channels.tsx';
import classes from './settings.module.css';

const CenterSettings = graphql(`
  query CenterSettings($domain: String!) { center(domain: $domain) { id name description logo settings } }
`);
const Save = graphql(`
  mutation SaveCenter($input: UpdateCenterInput!) { updateCenter(input: $input) { id name settings } }
`);

type Center = ResultOf<typeof CenterSettings>['center'];
interface Settings {
  timezone?: string;
  country?: string;
  region?: string;
  emailDomains?: string[];
  guardianBooking?: boolean;
  proof?: { enabled?: boolean; disclose?: string[] };
  actionTypes?: ActionTypeWords[];
}

export default function SettingsScreen() {
  const { centerDomain } = useCenter();
  const read = useRead(CenterSettings, { domain: centerDomain });
  useAuditEvents('center.updated', read.reload);
  return (
    <Page
      title="Settings"
      intro="Profile, time zone, public proof pages, sign-in and action types of the center."
      forms
    >
      <Loaded
        of={read}
        skeleton={
          <>
            <Panel title="Center details">
              <FormSkeleton fields={6} />
            </Panel>
            <PanelsSkeleton lines={[1, 10, 2]} />
          </>
        }
      >
        {({ center }) => (
          <>
            <About center={center} />
            <Bookings settings={center.settings as Settings} />
            <PublicProof settings={center.settings as Settings} />
            <SignIn />
            <ActionTypes of={read} types={(center.settings as Settings).actionTypes ?? []} />
            <ChatChannels />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ center }: { center: Center }) {
  const settings = center.settings as Settings;
  const action = useActionForm(Save, {
    done: 'Saved.',
    initialValues: {
      name: center.name,
      description: center.description,
      timezone: settings.timezone ?? 'UTC',
      country: settings.country ?? '',
      region: settings.region ?? '',
      emailDomains: settings.emailDomains ?? [],
    },
    validate: { name: filled('Enter a name.') },
    input: ({ country, region, ...rest }) => ({
      ...rest,
      country: country || null,
      region: region.trim() || null,
    }),
    onDone: invalidateSession,
  });
  return (
    <Panel title="Center details">
      <ActionForm {...action} verb="Save" inPanel>
        <TextInput label="Name" {...action.field('name')} />
        <Textarea
          label="Description"
          description="Visible to everyone who searches for the center."
          autosize
          minRows={2}
          {...action.field('description')}
        />
        <ZoneSelect description="Used for days and schedules." {...action.field('timezone')} />
        <NativeSelect
          label="Country"
          description="Determines which policies apply."
          data={[{ value: '', label: 'None' }, ...countryChoices]}
          {...action.field('country')}
        />
        <TextInput label="Region" placeholder="BE" {...action.field('region')} />
        <TagsInput
          label="Email domains"
          description="People with these email domains land here after signing in."
          {...action.field('emailDomains')}
        />
      </ActionForm>
    </Panel>
  );
}

/** A single switch, saved immediately. */
function Bookings({ settings }: { settings: Settings }) {
  const roles = useRoleNames();
  const [allowed, setAllowed] = useState(settings.guardianBooking !== false);
  const act = useAction(Save, { done: 'Saved.' });
  const change = async (guardianBooking: boolean) => {
    setAllowed(guardianBooking);
    if (await act.run({ input: { guardianBooking } })) invalidateSession();
    else setAllowed(!guardianBooking);
  };
  return (
    <Panel title="Bookings">
      <Switch
        label={`${roles.many('PARENT')} can book and cancel`}
        description={`For themselves and the ${roles.manyInText('CHILD')} linked to them. They see these bookings in any case.`}
        checked={allowed}
        disabled={act.busy}
        onChange={({ currentTarget }) => void change(currentTarget.checked)}
      />
    </Panel>
  );
}

function SignIn() {
  const { centerDomain } = useCenter();
  return (
    <Panel title="Sign-in">
      <p className={classes.words}>
        Members can sign in with the account of their company, and your directory can add and remove them.
      </p>
      <ButtonLink to="/c/$center/settings/sign-in" params={{ center: centerDomain }} variant="default">
        Set up company sign-in
      </ButtonLink>
    </Panel>
  );
}

function PublicProof({ settings }: { settings: Settings }) {
  const action = useActionForm(Save, {
    done: 'Saved. It applies to all public pages.',
    initialValues: { enabled: settings.proof?.enabled ?? true, disclose: settings.proof?.disclose ?? [] },
    input: (proof) => ({ proof }),
  });
  return (
    <Panel
      title="Public proof pages"
      hint="Anyone with the link sees the kind of decision, times, results, kinds of approvers, guards and the chain position. Choose what else to disclose."
    >
      <ActionForm {...action} verb="Save" inPanel>
        <Switch
          label="Sealed decisions have a public page"
          checked={action.form.values.enabled}
          onChange={({ currentTarget }) => action.form.setFieldValue('enabled', currentTarget.checked)}
        />
        <Checkbox.Group label="Also show" {...action.field('disclose')}>
          <Stack gap={8} mt={6}>
            {disclosable.map(([path, label]) => (
              <Checkbox key={path} value={path} label={label} disabled={!action.form.values.enabled} />
            ))}
          </Stack>
        </Checkbox.Group>
      </ActionForm>
    </Panel>
  );
}
