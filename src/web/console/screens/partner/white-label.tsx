import { Button, ColorInput, FileButton, Group, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql, type Json } from '../../graphql/graphql.ts';
import { useAct } from '../../graphql/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Loaded } from '../../ui/states.tsx';
import classes from './partner.module.css';
import { Preview } from './preview.tsx';

const PartnerLook = graphql(`query PartnerLook { partnerSettings }`);
const SaveLook = graphql(`mutation SaveLook($patch: JSON!) { changePartnerSettings(patch: $patch) }`);

/** What a page of a center may offer; others that the settings name are kept as they are. */
const features: [name: string, label: string][] = [
  ['booking', 'Booking'],
  ['proofPage', 'Public proof pages'],
  ['workflows', 'Workflows'],
];

const LARGEST_LOGO = 24_000;
const DEFAULT_COLOR = '#0b6b53';

const objectAt = (value: Json, name: string): Record<string, Json> => {
  const part = value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : null;
  return part !== null && typeof part === 'object' && !Array.isArray(part) ? part : {};
};
const textAt = (value: Record<string, Json>, name: string) =>
  typeof value[name] === 'string' ? (value[name] as string) : '';

/** How the partner's centers look to those they serve. */
export function WhiteLabelScreen() {
  const read = useRead(PartnerLook, {});
  return (
    <Page title="White label" intro="Default branding of your centers. The preview updates as you type.">
      <Loaded of={read} skeleton={<Lines count={8} />}>
        {({ partnerSettings }) => <Look settings={partnerSettings} onSaved={read.reload} />}
      </Loaded>
    </Page>
  );
}

function Look({ settings, onSaved }: { settings: Json; onSaved: () => void }) {
  const { me } = useSession();
  const mayChange = me.partner?.role === 'PARTNER_ADMIN';
  const branding = objectAt(settings, 'branding');
  const offered = objectAt(settings, 'features');
  const act = useAct(SaveLook, { quiet: true, done: 'Saved.' });
  const [logoProblem, setLogoProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      primaryColor: textAt(branding, 'primaryColor') || DEFAULT_COLOR,
      logo: textAt(branding, 'logo'),
      tagline: textAt(branding, 'tagline'),
      country: textAt(settings as Record<string, Json>, 'country'),
      features: Object.fromEntries(features.map(([name]) => [name, offered[name] !== false])),
    },
    validate: {
      primaryColor: (value) => (/^#[0-9a-f]{6}$/i.test(value) ? null : 'A color such as #0b6b53.'),
      tagline: (value) => (value.length > 120 ? 'At most 120 characters.' : null),
      country: (value) => (/^([A-Z]{2})?$/.test(value) ? null : 'Two capital letters, such as DE.'),
    },
  });
  const takeLogo = async (file: File | null) => {
    if (!file) return;
    if (file.size > LARGEST_LOGO) return setLogoProblem('The image can have at most 24 KB.');
    setLogoProblem(null);
    const bytes = new Uint8Array(await file.arrayBuffer());
    form.setFieldValue('logo', `data:${file.type};base64,${btoa(String.fromCharCode(...bytes))}`);
  };
  const submit = form.onSubmit(async ({ features: chosen, country, ...look }) => {
    const before = textAt(settings as Record<string, Json>, 'country');
    const place: Record<string, Json> = country === before ? {} : { country: country || null };
    if (await act.run({ patch: { branding: look, features: chosen, ...place } })) onSaved();
  });
  const { primaryColor, logo, tagline } = form.values;
  return (
    <div className={classes.halves}>
      <Panel
        title="Look"
        hint={mayChange ? undefined : 'Only administrators of the partner can change this.'}
      >
        <form onSubmit={submit} noValidate>
          <Stack>
            <FailureNote failure={act.failure} />
            <ColorInput
              label="Main color"
              disabled={!mayChange}
              withEyeDropper={false}
              popoverProps={{ withinPortal: true }}
              {...form.getInputProps('primaryColor')}
            />
            <TextInput
              label="Tagline"
              description="One line under the name."
              disabled={!mayChange}
              {...form.getInputProps('tagline')}
            />
            <TextInput
              label="Logo"
              description="The URL of an image, or a file of up to 24 KB."
              placeholder="https://example.org/logo.svg"
              disabled={!mayChange}
              {...form.getInputProps('logo')}
              error={logoProblem}
            />
            {mayChange && (
              <Group gap={8}>
                <FileButton
                  accept="image/png,image/svg+xml,image/webp"
                  onChange={(file) => void takeLogo(file)}
                >
                  {(props) => (
                    <Button size="xs" variant="default" {...props}>
                      Choose a file
                    </Button>
                  )}
                </FileButton>
                {logo && (
                  <Button size="xs" variant="subtle" onClick={() => form.setFieldValue('logo', '')}>
                    Remove logo
                  </Button>
                )}
              </Group>
            )}
            <TextInput
              label="Country"
              description="Two letters (ISO 3166). Policies of this country hold in your centers that name none."
              placeholder="DE"
              disabled={!mayChange}
              {...form.getInputProps('country')}
            />
            <fieldset className={classes.features}>
              <legend>Features</legend>
              {features.map(([name, label]) => (
                <Switch
                  key={name}
                  label={label}
                  disabled={!mayChange}
                  checked={form.values.features[name] ?? true}
                  onChange={({ currentTarget }) =>
                    form.setFieldValue(`features.${name}`, currentTarget.checked)
                  }
                />
              ))}
            </fieldset>
            {mayChange && (
              <div>
                <Button type="submit" loading={act.busy}>
                  Save
                </Button>
              </div>
            )}
          </Stack>
        </form>
      </Panel>
      <Panel title="Preview" hint="Preview of a center.">
        <Preview
          name={`${me.partner?.name ?? 'Your'} Center`}
          color={/^#[0-9a-f]{6}$/i.test(primaryColor) ? primaryColor : DEFAULT_COLOR}
          logo={logo}
          tagline={tagline}
          offers={features.flatMap(([name, label]) => (form.values.features[name] ? [label] : []))}
        />
      </Panel>
    </div>
  );
}
