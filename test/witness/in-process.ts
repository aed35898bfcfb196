/** The witness within the test's own process, where what matters is what it says and not how it dies. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { witnessServer } from '../../src/commands/witness/server.ts';
import { openWitnessState } from '../../src/commands/witness/state.ts';
import { parseVerifierKey } from '../../src/proof-kit/index.ts';
import { folder } from './programs.ts';

export interface WitnessHere {
  url: string;
  vkey: string;
  /** As `WITNESSES` takes it. */
  pair: string;
  /** Goes away, and comes back to the same address with what it has kept. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

export async function witnessHere(logs: string[], name: string): Promise<WitnessHere> {
  const keys = logs.map(parseVerifierKey);
  const known = new Map(
    keys.map((key) => [`${key.name}/log`, keys.filter((other) => other.name === key.name)]),
  );
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
  return { url, vkey: state.vkey, pair: `${state.vkey} ${url}`, leave, comeBack: listen };
}
