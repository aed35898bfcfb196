import { NumberInput, PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { choicesOf } from '../../../ui/filters.tsx';
import { type PresetName, presetNames, presetOf } from './presets.ts';
import {
  isOtherClient,
  MAX_SESSION_HOURS,
  type Provider,
  type ProviderValues,
  valuesOfPreset,
} from './provider.ts';
import { RequiredClaims } from './required-claims.tsx';
import { RoleMapping } from './role-mapping.tsx';

interface ProviderFieldsProps {
  form: UseFormReturnType<ProviderValues>;
  /** The saved settings. */
  provider: Provider | null;
}

/** The settings of a provider, filled in from a preset. */
export function ProviderFields({ form, provider }: ProviderFieldsProps) {
  const { values } = form;
  const preset = presetOf(values.preset);
  const field = form.getInputProps;
  const choose = (name: PresetName) => {
    form.setValues(valuesOfPreset(name));
    form.clearErrors();
  };
  const changePart = (at: number, text: string) => {
    const parts = values.parts.with(at, text);
    const isWhole = parts.every((part) => part.trim() !== '');
    form.setValues({ parts, issuer: preset && isWhole ? preset.issuer(parts) : '' });
  };
  const keepsSecret = provider !== null && !isOtherClient(values, provider);
  return (
    <>
      <Select
        label="Provider"
        description={preset?.hint ?? 'Any provider that supports OpenID Connect discovery.'}
        allowDeselect={false}
        data={choicesOf(presetNames)}
        value={values.preset}
        onChange={(name) => choose(name as PresetName)}
      />
      <TextInput
        label="Name"
        description="People see it on the button: “Continue with …”."
        maxLength={64}
        {...field('name')}
      />
      {preset?.parts.map(({ label, placeholder }, i) => (
        <TextInput
          key={label}
          label={label}
          placeholder={placeholder}
          value={values.parts[i] ?? ''}
          onChange={({ currentTarget }) => changePart(i, currentTarget.value)}
        />
      ))}
      <TextInput
        label="Issuer"
        description="The provider's own configuration must name exactly this address."
        placeholder="https://login.example.com"
        {...field('issuer')}
      />
      <TextInput label="Client ID" autoComplete="off" {...field('clientId')} />
      <PasswordInput
        label="Client secret"
        description={
          keepsSecret
            ? 'Stored encrypted and never shown. Leave it empty to keep it.'
            : 'Stored encrypted and never shown.'
        }
        autoComplete="new-password"
        {...field('clientSecret')}
      />
      <TagsInput
        label="Scopes"
        description="What is asked of the provider. “openid” is always needed."
        {...field('scopes')}
      />
      <TextInput
        label="Claim with the groups"
        description="Leave it empty if the provider sends no groups."
        placeholder="groups"
        {...field('groupsClaim')}
      />
      <RoleMapping form={form} />
      <RequiredClaims form={form} />
      <TextInput
        label="Claim that equals the externalId of SCIM"
        description="Connects a sign-in to the person that the directory created."
        {...field('externalIdClaim')}
      />
      <NumberInput
        label="Hours until people sign in again"
        description="A session ends this long after the sign-in, also while it is used."
        min={1}
        max={MAX_SESSION_HOURS}
        allowDecimal={false}
        {...field('sessionHours')}
      />
      <Switch
        label="Create people when they first sign in"
        description="Otherwise only people who are invited, are members or come from the directory can sign in."
        {...form.getInputProps('createOnSignIn', { type: 'checkbox' })}
      />
    </>
  );
}
