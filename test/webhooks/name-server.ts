import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** A local name server that returns the test's IPv4 address for every name. */
export interface NameServer {
  /** Its address in resolver format. */
  address: string;
  /** Sets the address of every name; null for none. */
  answer(address: string | null): void;
  /** The names that were looked up. */
  asked: string[];
}

const TYPE_A = 1;
const HEADER = 12;

export async function nameServer(first: string): Promise<NameServer> {
  let current: string | null = first;
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    socket.send(reply(query, end, type === TYPE_A ? current : null), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    answer(address) {
      current = address;
    },
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The question with at most one address; the TTL is zero. */
function reply(query: Buffer, end: number, address: string | null): Buffer {
  const header = Buffer.from(query.subarray(0, HEADER));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(address ? 1 : 0, 6);
  header.writeUInt16BE(0, 10);
  const record = address
    ? Buffer.from([0xc0, HEADER, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)])
    : Buffer.alloc(0);
  return Buffer.concat([header, query.subarray(HEADER, end), record]);
}
