import { Button, Divider, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Lines } from '../../ui/states.tsx';
import { CompanyForm } from './company-form.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButton } from './provider-button.tsx';
import { ProviderFault } from './provider-fault.tsx';
import { startAddress, useSignInOptions } from './sign-in-options.ts';
import { centerOfEntry } from './use-entry-brand.ts';

const route = getRouteApi('/sign-in');

export default function SignInScreen() {
  const { next, center: named, error, request } = route.useSearch();
  const signedIn = route.useRouteContext({ select: (context) => context.signedIn });
  const center = centerOfEntry(named, next);
  const [asksCompany, setAsksCompany] = useState(false);
  if (asksCompany) {
    return (
      <EntryFrame
        title="Sign in with your company"
        center={center}
        intro="Your company’s own sign-in opens its center."
      >
        <CompanyForm next={next} onBack={() => setAsksCompany(false)} />
      </EntryFrame>
    );
  }
  return (
    <EntryFrame
      title="Sign in"
      center={center}
      intro="Review, approve and prove the decisions of your center."
      foot={<TextLink to="/forgot-password">Forgot your password?</TextLink>}
    >
      <Stack gap="md">
        <ProviderFault code={error} request={request} />
        {signedIn && (
          <ButtonLink to="/" variant="default">
            Back to the console
          </ButtonLink>
        )}
        <Ways next={next} center={center} onCompany={() => setAsksCompany(true)} />
      </Stack>
    </EntryFrame>
  );
}

interface WaysProps {
  next: string | undefined;
  center: string | undefined;
  onCompany: () => void;
}

/** The ways to sign in to the center, or with the address that the person has entered. */
function Ways({ next, center, onCompany }: WaysProps) {
  const [email, setEmail] = useState('');
  const [isEmergency, setIsEmergency] = useState(false);
  const { options, loading } = useSignInOptions(center, email);
  if (loading) return <Lines count={3} />;
  const { oidc, password } = options;
  const provider = oidc && (
    <ProviderButton
      name={oidc.name}
      href={startAddress(oidc.startUrl, { next, hint: email })}
      variant={center || !password ? 'filled' : 'default'}
    />
  );
  const company = (
    <Button variant="subtle" onClick={onCompany}>
      Sign in with your company
    </Button>
  );
  const needsProvider = !password && !isEmergency;
  // The button of the center that the address names comes first. Others appear while the person types, so they come last.
  const isFirst = center !== undefined;
  return (
    <>
      {isFirst && provider}
      {isFirst && provider && !needsProvider && <Divider label="or" />}
      {isEmergency && (
        <Text size="sm">
          Only administrators who are marked for emergencies can use a password or a passkey in this center.
        </Text>
      )}
      {!(isFirst && needsProvider) && (
        <PasswordForm next={next} center={center} onEmail={setEmail} isContactOnly={needsProvider}>
          {!isFirst && provider}
        </PasswordForm>
      )}
      {needsProvider && (
        <Button variant="subtle" color="gray" onClick={() => setIsEmergency(true)}>
          Emergency access
        </Button>
      )}
      {!provider && company}
    </>
  );
}
