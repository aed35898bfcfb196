/** The witness inside the test's process, for tests of its answers rather than its crashes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { witnessKeyId } from '@countersign/proof-kit';
import { onTestFinished } from 'vitest';
import { addLog, readLogs } from '../../src/commands/witness/logs.ts';
import { witnessServer } from '../../src/commands/witness/server.ts';
import { openWitnessState } from '../../src/commands/witness/state.ts';
import type { Witness } from '../../src/environment.ts';
import { folder } from './programs.ts';

export interface WitnessHere extends Witness {
  /** The value for `WITNESSES`. */
  pair: string;
  /** Adds another key of a known log. */
  trust(line: string): void;
  /** The folder of its key, cosigned heads and evidence. */
  folder: string;
  /** Stops, and restarts at the same address with its state. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Each log is `VKEY`, for heads only, or `VKEY URL`. */
export async function witnessHere(logs: string[], name: string, headsOnly = false): Promise<WitnessHere> {
  const known = readLogs(logs, headsOnly);
  const trust = (line: string) => addLog(known, line);
  const stateFolder = await folder();
  const state = await openWitnessState(stateFolder, name);
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
    folder: stateFolder,
    leave,
    comeBack: listen,
  };
}
