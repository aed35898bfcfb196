/** The witness within the test's own process, where what matters is what it says and not how it dies. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { witnessServer } from '../../src/commands/witness/server.ts';
import { openWitnessState } from '../../src/commands/witness/state.ts';
import type { Witness } from '../../src/config.ts';
import { type NoteKey, parseVerifierKey, witnessKeyId } from '../../src/proof-kit/index.ts';
import { folder } from './programs.ts';

export interface WitnessHere extends Witness {
  /** As `WITNESSES` takes it. */
  pair: string;
  /** Another key of a log that it knows from now on. */
  trust(vkey: string): void;
  /** Goes away, and comes back to the same address with what it has kept. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function witnessHere(logs: string[], name: string): Promise<WitnessHere> {
  const known = new Map<string, NoteKey[]>();
  const trust = (vkey: string) => {
    const key = parseVerifierKey(vkey);
    known.set(`${key.name}/log`, [...(known.get(`${key.name}/log`) ?? []), key]);
  };
  logs.forEach(trust);
  const state = await openWitnessState(await folder(), name);
  let port = 0;
  let server = witnessServer(state, known);
  const listen = async () => {
    server = witnessServer(state, known);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const leave = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  await listen();
  onTestFinished(leave);
  const url = `http://127.0.0.1:${port}`;
  const { key, vkey } = state;
  return {
    ...key,
    keyId: witnessKeyId(key),
    vkey,
    url,
    pair: `${vkey} ${url}`,
    trust,
    leave,
    comeBack: listen,
  };
}
