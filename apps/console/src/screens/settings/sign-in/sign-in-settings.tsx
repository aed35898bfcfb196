import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../../graphql/use-read.ts';
import { useAuditEvents } from '../../../session/live-center.tsx';
import { useCenter } from '../../../session/session-context.ts';
import { BackLink } from '../../../ui/link.tsx';
import { Page } from '../../../ui/page.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { PanelsSkeleton } from '../../../ui/skeletons.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { Addresses } from './addresses.tsx';
import { EmailDomainsPanel } from './email-domains.tsx';
import { EmergencyAccess } from './emergency-access.tsx';
import { CurrentProvider } from './provider.ts';
import { ProviderPanel } from './provider-panel.tsx';
import { ReturnedTest } from './provider-test.tsx';
import { RecentFailures } from './recent-failures.tsx';
import { RequireProvider } from './require-provider.tsx';
import { ScimTokensPanel } from './scim-tokens.tsx';

const route = getRouteApi('/inside/c/$center/settings/sign-in');

/** The settings, or in the tab of a test its result. */
export default function SignInSettingsScreen() {
  const { test } = route.useSearch();
  return test ? <TestPage id={test} /> : <SignInSettings />;
}

function TestPage({ id }: { id: string }) {
  const { centerDomain } = useCenter();
  return (
    <Page
      title="Test sign-in"
      intro="This was a test: you are signed in as before, and nothing was created."
      back={<BackLink to="/c/$center/settings/sign-in" params={{ center: centerDomain }} label="Sign-in" />}
    >
      <Panel title="Result">
        <ReturnedTest id={id} />
      </Panel>
    </Page>
  );
}

/** How members sign in: the company's identity provider, its directory, and who gets in without them. */
function SignInSettings() {
  const { centerDomain } = useCenter();
  const read = useRead(CurrentProvider, {});
  useAuditEvents('any', read.reload);
  return (
    <Page
      title="Sign-in"
      intro="Members sign in with their company account, and your directory adds and removes them."
      back={<BackLink to="/c/$center/settings" params={{ center: centerDomain }} label="Settings" />}
      forms
    >
      <Loaded of={read} skeleton={<PanelsSkeleton lines={[3, 10, 4]} />}>
        {({ identityProvider: provider, providerAddresses }) => (
          <>
            <Panel
              title="Addresses"
              hint="Enter the redirect URI, and if the provider supports it the logout URI, in the application that you register there."
            >
              <Addresses of={providerAddresses} />
            </Panel>
            {/* Another provider is another form. */}
            <ProviderPanel key={provider ? 'saved' : 'new'} provider={provider} onDone={read.reload} />
            {provider && <RequireProvider provider={provider} onDone={read.reload} />}
            <EmergencyAccess />
            <EmailDomainsPanel />
            <ScimTokensPanel />
            {provider && <RecentFailures of={provider.failures} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}
