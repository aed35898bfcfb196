import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAction } from '../../graphql/use-action.ts';
import { FailureNote } from '../../ui/failure-note.tsx';
import { FindSignInOptions, startAddress } from './sign-in-options.ts';

/** The domain slug in what a person typed or pasted: the name itself, or an address of the console. */
export function slugIn(text: string): string | null {
  const typed = text.trim().toLowerCase();
  const slug = /\/c\/([a-z0-9-]+)/.exec(typed)?.[1] ?? typed;
  return /^[a-z0-9-]{1,63}$/.test(slug) ? slug : null;
}

interface CompanyFormProps {
  next: string | undefined;
  onBack: () => void;
}

/** Finds the provider of a center by the center's name. */
export function CompanyForm({ next, onBack }: CompanyFormProps) {
  const find = useAction(FindSignInOptions, { quiet: true, as: 'query' });
  const form = useForm({
    initialValues: { center: '' },
    validate: {
      center: (text) => (slugIn(text) ? null : 'Enter the name of the center as in its address.'),
    },
  });
  const submit = form.onSubmit(async ({ center }) => {
    const data = await find.run({ center: slugIn(center) });
    if (!data) return;
    const { oidc } = data.signInOptions;
    if (oidc) location.assign(startAddress(oidc.startUrl, { next }));
    else form.setFieldError('center', 'This center has no company sign-in. Use your password.');
  });
  const isUnknown = find.failure?.code === 'CENTER_NOT_FOUND';
  const { error, ...field } = form.getInputProps('center');
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {!isUnknown && <FailureNote failure={find.failure} />}
        <TextInput
          label="Name of the center"
          description="It is in the address of the console, after /c/. A colleague can tell you."
          placeholder="harbour-clinic"
          autoCapitalize="none"
          autoFocus
          size="md"
          {...field}
          error={error ?? (isUnknown && 'No center has this name. Check the spelling.')}
        />
        <Button type="submit" size="md" loading={find.busy} fullWidth>
          Continue
        </Button>
        <Button variant="subtle" onClick={onBack}>
          Other ways to sign in
        </Button>
      </Stack>
    </form>
  );
}
