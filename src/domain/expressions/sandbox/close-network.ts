// Node 24 has no permission for the network, so the sandbox removes every way to reach it. Expressions have no access anyway;
// this is a second barrier against code that escapes from them.
import { registerHooks } from 'node:module';

/** Globals that reach the network or other threads. */
const GLOBALS = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'Worker',
  'require',
  'module',
];

/** Members of `process` that provide modules or native bindings, or act on other processes. */
const PROCESS_MEMBERS = [
  'binding',
  '_linkedBinding',
  'getBuiltinModule',
  'dlopen',
  'mainModule',
  'kill',
  '_kill',
  '_debugProcess',
  'moduleLoadList',
];

/**
 * After this, the thread can load no further module, including built-in ones, and has no global that opens a connection. Call
 * it once everything that the thread needs is loaded.
 */
export function closeNetwork(): void {
  const refuse = (): never => {
    throw new Error('The sandbox loads no modules.');
  };
  registerHooks({ resolve: refuse, load: refuse });
  for (const name of GLOBALS) remove(globalThis, name);
  for (const name of PROCESS_MEMBERS) remove(process, name);
}

function remove(owner: object, name: string): void {
  if (!(name in owner)) return;
  // Shadowed as well, in case the member is inherited.
  Reflect.deleteProperty(owner, name);
  Object.defineProperty(owner, name, { value: undefined, writable: false, configurable: false });
}
