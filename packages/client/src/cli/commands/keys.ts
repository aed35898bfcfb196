import { type Command, EXIT, lists, required, text, texts, UsageError } from '../command.ts';
import { personSession } from '../session.ts';

const KEY = 'id name scopes expiresAt revokedAt lastUsedAt';
const COLUMNS = KEY.split(' ');

export const keys: Command = {
  summary: 'make, list and revoke API keys of the center',
  help: `countersign keys list
countersign keys create --name NAME --scope proof:read|proof:write [--expires DATE]   shows the key this once
countersign keys revoke ID`,
  options: { ...texts('name', 'expires'), ...lists('scope') },
  async run({ positionals: [verb, id], values, print }) {
    const { query } = await personSession();
    switch (verb) {
      case 'list': {
        const data = await query<{ apiKeys: { edges: { node: Record<string, unknown> }[] } }>(
          `query { apiKeys(first: 100) { edges { node { ${KEY} } } } }`,
        );
        print.rows(
          data.apiKeys.edges.map(({ node }) => node),
          COLUMNS,
        );
        return EXIT.done;
      }
      case 'create': {
        const scopes = values['scope'] ?? [];
        const input = {
          name: required(text(values, 'name'), '--name'),
          scopes,
          expiresAt: dateOf(text(values, 'expires')),
        };
        const data = await query<{ createApiKey: { plaintext: string; apiKey: object } }>(
          `mutation ($input: CreateApiKeyInput!) {
            createApiKey(input: $input) { plaintext apiKey { ${KEY} } }
          }`,
          { input },
        );
        const { plaintext, apiKey } = data.createApiKey;
        print.rows([{ ...apiKey, plaintext }], ['id', 'name', 'scopes', 'plaintext']);
        return EXIT.done;
      }
      case 'revoke': {
        const data = await query<{ revokeApiKey: Record<string, unknown> }>(
          `mutation ($input: RevokeApiKeyInput!) { revokeApiKey(input: $input) { ${KEY} } }`,
          { input: { id: required(id, 'The id of the key') } },
        );
        print.rows([data.revokeApiKey], COLUMNS);
        return EXIT.done;
      }
      default:
        throw new UsageError('Say list, create or revoke.');
    }
  },
};

function dateOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  if (Number.isNaN(Date.parse(given))) throw new UsageError('--expires takes a date, such as 2027-01-31.');
  return new Date(given).toISOString();
}
