import { Button, Group, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useEffect } from 'react';
import { useAction } from '../../../graphql/use-action.ts';
import { ago } from '../../../text/time.ts';
import { FailureNote } from '../../../ui/failure-note.tsx';
import { useActionForm } from '../../../ui/form-dialog.tsx';
import { Panel } from '../../../ui/panel.tsx';
import {
  fieldFaults,
  inputOf,
  isOtherClient,
  type Provider,
  RemoveProvider,
  rulesOf,
  SaveProvider,
  valuesOf,
} from './provider.ts';
import { ProviderFields } from './provider-fields.tsx';
import { ProviderTest } from './provider-test.tsx';
import { useProviderTest } from './use-provider-test.ts';

interface ProviderPanelProps {
  /** The saved settings; null if the center has no provider. */
  provider: Provider | null;
  onDone: () => void;
}

/** The settings of the provider: tried in another tab, saved, or removed. */
export function ProviderPanel({ provider, onDone }: ProviderPanelProps) {
  const { form, act, save } = useActionForm(SaveProvider, {
    done: 'Saved.',
    initialValues: valuesOf(provider),
    validate: rulesOf(provider),
    input: (values) => inputOf(values, provider?.required ?? false),
    onDone: (_, values) => {
      // The stored secret is never shown, and the next save keeps it.
      form.setInitialValues({ ...values, clientSecret: '' });
      form.reset();
      onDone();
    },
  });
  const { setErrors } = form;
  useEffect(() => setErrors(fieldFaults(act.failure)), [act.failure, setErrors]);
  const test = useProviderTest(onDone);
  const submit = form.onSubmit((values) => {
    if (provider && isOtherClient(values, provider)) confirmOtherClient(provider, () => void save(values));
    else void save(values);
  });
  const tryOut = () => {
    if (!form.validate().hasErrors) void test.begin(inputOf(form.values, provider?.required ?? false));
  };
  return (
    <Panel
      title="Identity provider"
      hint={
        provider
          ? testedHint(provider)
          : 'Members sign in with their company account through OpenID Connect. Register the addresses above at the provider first.'
      }
    >
      <form noValidate onSubmit={submit}>
        <Stack>
          <FailureNote failure={act.failure} />
          <ProviderFields form={form} provider={provider} />
          <Group gap={8}>
            <Button type="submit" loading={act.busy}>
              Save
            </Button>
            <Button variant="default" loading={test.busy} onClick={tryOut}>
              Test this provider
            </Button>
            {provider && <Remove provider={provider} onDone={onDone} />}
          </Group>
          <ProviderTest of={test} />
        </Stack>
      </form>
    </Panel>
  );
}

const testedHint = ({ testedAt }: Provider) =>
  testedAt
    ? `These settings were last tested successfully ${ago(testedAt, new Date())}.`
    : 'These settings have not been tested successfully yet.';

const confirmOtherClient = ({ name }: Provider, onConfirm: () => void) =>
  modals.openConfirmModal({
    title: 'Save another issuer or client?',
    children: `Everyone who signed in through ${name} is signed out now. Profiles, roles and groups stay. At the next sign-in each person proves once that the profile is theirs.`,
    labels: { confirm: 'Save and sign them out', cancel: 'Cancel' },
    confirmProps: { color: 'red' },
    onConfirm,
  });

function Remove({ provider: { name, required }, onDone }: { provider: Provider; onDone: () => void }) {
  const remove = useAction(RemoveProvider, { done: 'The provider was removed.' });
  const ask = () =>
    modals.openConfirmModal({
      title: `Remove “${name}”?`,
      children: `Everyone who signed in through ${name} is signed out now. People who have no password cannot sign in any more, until you invite them or set up a provider again. ${required ? 'Passwords and passkeys open the center again. ' : ''}Profiles, groups and the audit log stay.`,
      labels: { confirm: 'Remove', cancel: 'Keep' },
      confirmProps: { color: 'red' },
      onConfirm: () => void remove.run({}).then((data) => data && onDone()),
    });
  return (
    <Button variant="subtle" color="red" loading={remove.busy} onClick={ask}>
      Remove provider
    </Button>
  );
}
