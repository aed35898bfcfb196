import { type Command, EXIT } from '../command.ts';
import { deleteCredentials, readProfile } from '../profile.ts';
import { personSession } from '../session.ts';

export const whoami: Command = {
  summary: 'show the service and who is signed in',
  help: 'countersign whoami   the service, the person who is signed in, and whether an API key is kept',
  async run({ print }) {
    const { baseUrl, apiKey, refreshToken } = await readProfile();
    const row: Record<string, unknown> = { url: baseUrl, apiKey: apiKey ? `${apiKey.slice(0, 8)}…` : null };
    if (refreshToken) {
      const { query } = await personSession();
      const { me } = await query<{ me: Record<string, unknown> }>(
        'query { me { name email role centerDomain } }',
      );
      Object.assign(row, me);
    }
    print.rows([row], ['url', 'name', 'email', 'role', 'centerDomain', 'apiKey']);
    return apiKey || refreshToken ? EXIT.done : EXIT.refused;
  },
};

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
