import { type Command, EXIT } from '../command.ts';
import { deleteCredentials, readProfile } from '../profile.ts';
import { personSession, queryGraphQL } from '../session.ts';

const COLUMNS = [
  'url',
  'credential',
  'name',
  'center',
  'permissions',
  'apiKey',
  'expiresAt',
  'from',
] as const;

export const whoami: Command = {
  summary: 'show the service, who is signed in, and the API key',
  help: `countersign whoami   the service and each credential for it: the person who is signed in, and the API key with its name,
                    center, permissions and expiry, and whether it comes from login or from COUNTERSIGN_API_KEY`,
  async run({ print }) {
    const { baseUrl, apiKey, refreshToken } = await readProfile();
    const credentials = await Promise.allSettled([
      ...(refreshToken ? [describePerson()] : []),
      ...(apiKey ? [describeKey(baseUrl, apiKey)] : []),
    ]);
    const rows = credentials.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    // The other credential is shown even if one has ended.
    if (rows.length > 0) print.rows(rows, COLUMNS);
    for (const each of credentials) if (each.status === 'rejected') throw each.reason;
    if (credentials.length > 0) return EXIT.done;
    print.rows([{ url: baseUrl, credential: null, apiKey: null }], ['url', 'credential']);
    return EXIT.refused;
  },
};

async function describePerson(): Promise<Record<string, unknown>> {
  const { baseUrl, query } = await personSession();
  const { me } = await query<{
    me: { name: string; email: string; role: string; centerDomain: string | null };
  }>('query { me { name email role centerDomain } }');
  const shared = { center: me.centerDomain, permissions: [me.role], apiKey: null };
  return { url: baseUrl, credential: 'person', ...me, ...shared, from: 'login' };
}

/** The key as the service knows it. Its secret part is never printed. */
export async function describeKey(baseUrl: string, apiKey: string): Promise<Record<string, unknown>> {
  const { currentApiKey: key } = await queryGraphQL<{
    currentApiKey: {
      id: string;
      name: string;
      publicId: string;
      scopes: string[];
      expiresAt: string | null;
      ratePerMinute: number | null;
      centerName: string;
      centerDomain: string;
    };
  }>(
    baseUrl,
    apiKey,
    'query { currentApiKey { id name publicId scopes expiresAt ratePerMinute centerName centerDomain } }',
  );
  const { publicId, scopes, ...facts } = key;
  const shown = { center: key.centerDomain, permissions: scopes, apiKey: `csk_${publicId}_…` };
  const from = process.env['COUNTERSIGN_API_KEY'] === apiKey ? 'COUNTERSIGN_API_KEY' : 'login';
  return { url: baseUrl, credential: 'API key', ...facts, ...shown, from };
}

export const logout: Command = {
  summary: 'end the session and remove the kept credentials',
  help: 'countersign logout   ends the session at the service and removes what login kept, an API key included',
  async run({ print }) {
    const { baseUrl, refreshToken } = await readProfile();
    try {
      if (refreshToken) await (await personSession()).query('mutation { logout }');
    } finally {
      // Removed even if the session has already ended or the service is unreachable.
      await deleteCredentials();
    }
    print.line(`Signed out of ${baseUrl}.`);
    return EXIT.done;
  },
};
