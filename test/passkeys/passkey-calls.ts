import type { TestApp } from '../helpers/app.ts';
import { SoftPasskey } from '../helpers/authenticator.ts';

export const ORIGIN = 'http://localhost:4000';

/** The operations on passkeys. Each returns the value of the only field, or the error code. */
export function passkeyCalls(running: () => TestApp) {
  async function ask(document: string, variables: Record<string, unknown>, token?: string) {
    const { data, errors } = await running().graphql(document, variables, token);
    return errors ? errors[0]!.extensions.code : Object.values(data as object)[0];
  }
  const begin = (token?: string) => ask('mutation { beginPasskeyRegistration }', {}, token);
  const finish = (response: unknown, token?: string, name = 'Laptop') =>
    ask(
      `mutation ($name: String!, $response: JSON!) {
        finishPasskeyRegistration(input: { name: $name, response: $response }) { id name fingerprint synced lastUsedAt } }`,
      { name, response },
      token,
    );
  return {
    ask,
    begin,
    finish,
    remove: (id: string, token?: string) =>
      ask(`mutation ($id: ID!) { removePasskey(input: { id: $id }) { id removedAt } }`, { id }, token),
    list: (token?: string) => ask('{ passkeys { id name lastUsedAt } }', {}, token),
    beginSignIn: () => ask('mutation { beginPasskeySignIn }', {}),
    signIn: (response: unknown, centerDomain?: string) =>
      ask(
        `mutation ($response: JSON!, $centerDomain: String) {
          signInWithPasskey(input: { response: $response, centerDomain: $centerDomain }) {
            accessToken actor { id } center { id } landing { kind } } }`,
        { response, centerDomain },
      ),
    registered: async (token: string, passkey = new SoftPasskey(ORIGIN)) => {
      const kept = await finish(passkey.register(await begin(token)), token);
      return { passkey, ...kept };
    },
  };
}
