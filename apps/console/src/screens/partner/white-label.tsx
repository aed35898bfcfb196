import { Button, ColorInput, FileButton, Group, Input, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql, type Json, type ResultOf } from '../../graphql/graphql.ts';
import { useAction } from '../../graphql/use-action.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useSession } from '../../session/session-context.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PanelsSkeleton } from '../../ui/skeletons.tsx';
import { Loaded } from '../../ui/states.tsx';
import classes from './partner.module.css';
import { Preview } from './preview.tsx';

const PartnerLook = graphql(`
  query PartnerLook { partnerSettings partnerFeatures { id name description enabled } }
`);
const SaveLook = graphql(`mutation SaveLook($patch: JSON!) { changePartnerSettings(patch: $patch) }`);

type Features = ResultOf<typeof PartnerLook>['partnerFeatures'];

const LARGEST_LOGO = 24_576;
const DEFAULT_COLOR = '#0b6b53';

const objectAt = (value: Json, name: string): Record<string, Json> => {
  const part = value !== null && typeof value === 'object' && !Array.isArray(value) ? value[name] : null;
  return part !== null && typeof part === 'object' && !Array.isArray(part) ? part : {};
};
const textAt = (value: Record<string, Json>, name: string) =>
  typeof value[name] === 'string' ? (value[name] as string) : '';

/** The brand and the features of the partner's centers. */
export default function WhiteLabelScreen() {
  const read = useRead(PartnerLook, {});
  return (
    <Page
      title="White label"
      intro="Branding and features of your centers: sign-in, console, mails and public proof pages."
    >
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[8, 4]} />}>
        {({ partnerSettings, partnerFeatures }) => (
          <Look settings={partnerSettings} features={partnerFeatures} onSaved={read.reload} />
        )}
      </Loaded>
    </Page>
  );
}

interface LookProps {
  settings: Json;
  features: Features;
  onSaved: () => void;
}

function Look({ settings, features, onSaved }: LookProps) {
  const { me } = useSession();
  const mayChange = me.partner?.role === 'PARTNER_ADMIN';
  const branding = objectAt(settings, 'branding');
  const act = useAction(SaveLook, { quiet: true, done: 'Saved.' });
  const [logoProblem, setLogoProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      name: textAt(branding, 'name'),
      primaryColor: textAt(branding, 'primaryColor') || DEFAULT_COLOR,
      logo: textAt(branding, 'logo'),
      tagline: textAt(branding, 'tagline'),
      country: textAt(settings as Record<string, Json>, 'country'),
      features: Object.fromEntries(features.map(({ id, enabled }) => [id, enabled])),
    },
    validate: {
      name: (value) => (value.length > 60 ? 'At most 60 characters.' : null),
      primaryColor: (value) => (/^#[0-9a-f]{6}$/i.test(value) ? null : 'A color such as #0b6b53.'),
      tagline: (value) => (value.length > 120 ? 'At most 120 characters.' : null),
      country: (value) => (/^([A-Z]{2})?$/.test(value) ? null : 'Two capital letters, such as DE.'),
    },
  });
  const takeLogo = async (file: File | null) => {
    if (!file) return;
    if (file.size > LARGEST_LOGO) return setLogoProblem('The image can be at most 24 KB.');
    setLogoProblem(null);
    const bytes = new Uint8Array(await file.arrayBuffer());
    form.setFieldValue('logo', `data:${file.type};base64,${btoa(String.fromCharCode(...bytes))}`);
  };
  const submit = form.onSubmit(async ({ features: chosen, country, ...look }) => {
    const before = textAt(settings as Record<string, Json>, 'country');
    const place: Record<string, Json> = country === before ? {} : { country: country || null };
    if (await act.run({ patch: { branding: look, features: chosen, ...place } })) onSaved();
  });
  const { name, primaryColor, logo, tagline } = form.values;
  const uploaded = logo.startsWith('data:');
  return (
    <div className={classes.halves}>
      <Panel
        title="Appearance"
        hint={mayChange ? undefined : 'Only administrators of the partner can change this.'}
      >
        <form onSubmit={submit} noValidate>
          <Stack>
            <FailureNote failure={act.failure} />
            <TextInput
              label="Name"
              description="Shown instead of “Countersign”. Leave empty to keep it."
              disabled={!mayChange}
              {...form.getInputProps('name')}
            />
            <ColorInput
              label="Main color"
              description="Shades are adjusted so that text stays readable."
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
            <Input.Wrapper
              label="Logo"
              description="A PNG, JPEG, WebP or SVG file of up to 24 KB. Images on other servers are not shown."
              error={logoProblem}
            >
              <p className={classes.logoState}>
                {uploaded ? 'Image uploaded' : logo ? `Not shown: ${logo}` : 'No logo'}
              </p>
            </Input.Wrapper>
            {mayChange && (
              <Group gap={8}>
                <FileButton
                  accept="image/png,image/jpeg,image/svg+xml,image/webp"
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
              description="Two letters (ISO 3166). Policies of this country apply in your centers without a country."
              placeholder="DE"
              disabled={!mayChange}
              {...form.getInputProps('country')}
            />
            <fieldset className={classes.features}>
              <legend>Features</legend>
              {features.map(({ id, name: label, description }) => (
                <Switch
                  key={id}
                  label={label}
                  description={description}
                  disabled={!mayChange}
                  checked={form.values.features[id] ?? true}
                  onChange={({ currentTarget }) =>
                    form.setFieldValue(`features.${id}`, currentTarget.checked)
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
      <Panel title="Preview" hint="An example page of a center.">
        <Preview
          name={name || 'Countersign'}
          color={/^#[0-9a-f]{6}$/i.test(primaryColor) ? primaryColor : DEFAULT_COLOR}
          logo={logo}
          tagline={tagline}
          offers={features.flatMap(({ id, name: label }) => (form.values.features[id] ? [label] : []))}
        />
      </Panel>
    </div>
  );
}
