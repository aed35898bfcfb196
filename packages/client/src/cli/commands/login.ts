import { createInterface } from 'node:readline/promises';
import { Transport } from '../../http.ts';
import type { SignedIn } from '../../types.ts';
import { type Command, EXIT, required, text, texts } from '../command.ts';
import { profilePath, readProfile, useService } from '../profile.ts';
import { describeKey } from './account.ts';

/** A person is waiting: one more try, then report the result. */
const RETRY_DELAYS = [500];

export const login: Command = {
  summary: 'sign in as a person, or keep an API key',
  help: `countersign login [--url URL] --email EMAIL [--center DOMAIN]   asks for the password, or reads it from standard input
countersign login [--url URL] --api-key KEY                     keeps a key for decisions and webhooks

Credentials are kept for each service by itself. The profile lies in ${profilePath()}, readable by you alone; COUNTERSIGN_PROFILE names another file.`,
  options: texts('url', 'email', 'center', 'api-key'),
  async run({ values, print }) {
    const baseUrl = (text(values, 'url') ?? (await readProfile()).baseUrl).replace(/\/+$/, '');
    const apiKey = text(values, 'api-key');
    if (apiKey) {
      // An invalid key is not stored.
      const key = await describeKey(baseUrl, apiKey);
      await useService(baseUrl, { apiKey });
      print.rows([{ ...key, from: 'login' }], ['url', 'credential', 'name', 'center', 'permissions']);
      return EXIT.done;
    }
    const email = required(text(values, 'email'), '--email');
    const center = text(values, 'center');
    const { data } = await new Transport({ baseUrl, retryDelays: RETRY_DELAYS }).json<{ data: SignedIn }>({
      method: 'POST',
      path: '/auth/login',
      body: { email, password: await readPassword(), ...(center && { centerDomain: center }) },
    });
    await useService(baseUrl, { refreshToken: data.refreshToken });
    const row = { url: baseUrl, name: data.actor.name, center: data.center?.domain ?? null };
    print.rows([row], ['url', 'name', 'center']);
    return EXIT.done;
  },
};

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) {
    process.stderr.write('Password: ');
    return readHidden();
  }
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}

/** Typed without echo. */
function readHidden(): Promise<string> {
  const { stdin, stderr } = process;
  return new Promise((resolve, reject) => {
    let typed = '';
    stdin.setRawMode(true).setEncoding('utf8').resume();
    const finish = (end: () => void) => {
      stdin.setRawMode(false).pause().off('data', onData);
      stderr.write('\n');
      end();
    };
    const onData = (chunk: string) => {
      for (const char of chunk) {
        if (char === '\r' || char === '\n') return finish(() => resolve(typed));
        if (char === '\u0003') return finish(() => reject(new Error('interrupted')));
        typed = char === '\u007f' ? typed.slice(0, -1) : typed + char;
      }
    };
    stdin.on('data', onData);
  });
}
