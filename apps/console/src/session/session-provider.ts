import { graphql, type ResultOf } from '../graphql/graphql.ts';
import { useRead } from '../graphql/use-read.ts';

/** Apart from the session, because the service asks the provider where to sign out there. */
const SessionProvider = graphql(`query SessionProvider { me { provider { name logoutUrl } } }`);

type Provider = ResultOf<typeof SessionProvider>['me']['provider'];

/** The provider that opened the session: null if a password or a passkey did, undefined until that is known. */
export function useSessionProvider({ pause = false } = {}): Provider | undefined {
  const { data, failure } = useRead(SessionProvider, {}, { pause });
  return failure && !data ? null : data?.me.provider;
}
