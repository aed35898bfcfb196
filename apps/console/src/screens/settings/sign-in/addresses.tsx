import { Copyable } from '../../../ui/copy.tsx';
import { Facts } from '../../../ui/facts.tsx';

interface AddressesProps {
  of: { redirectUri: string; backchannelLogoutUri: string; scimUrl: string };
}

/** What an administrator enters at the provider and in the directory. */
export const Addresses = ({ of: { redirectUri, backchannelLogoutUri, scimUrl } }: AddressesProps) => (
  <Facts
    of={{
      'Redirect URI': <Copyable value={redirectUri} label="Copy the redirect URI" />,
      'Back-channel logout URI': <Copyable value={backchannelLogoutUri} label="Copy the logout URI" />,
      'SCIM base URL': <Copyable value={scimUrl} label="Copy the SCIM URL" />,
    }}
  />
);
