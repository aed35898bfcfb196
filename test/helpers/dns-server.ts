import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A DNS server on loopback that knows TXT records only. */
export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string;
  /** Values by full name. A value over 255 bytes is sent in several parts. */
  records: Map<string, string[]>;
  /** How the server answers all queries: as it should, with SERVFAIL, or not at all. */
  behavior: 'answer' | 'fail' | 'silent';
  /** The names asked for, oldest first. */
  queries: string[];
  close(): Promise<void>;
}

const SERVFAIL = 2;
const NXDOMAIN = 3;
const HEADER_BYTES = 12;

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const server: Omit<DnsServer, 'address' | 'close'> = {
    records: new Map(),
    behavior: 'answer',
    queries: [],
  };
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    server.queries.push(name);
    if (server.behavior === 'silent') return;
    const values = server.behavior === 'fail' ? [] : (server.records.get(name) ?? []);
    const code = server.behavior === 'fail' ? SERVFAIL : values.length === 0 ? NXDOMAIN : 0;
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8580 | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    const question = query.subarray(HEADER_BYTES, end);
    socket.send(Buffer.concat([header, question, ...values.map(answerOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return Object.assign(server, {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  });
}

/** The name that a query asks for, and where the question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

/** A TXT record, whose name is a pointer to the question. */
function answerOf(value: string): Buffer {
  const parts = value.match(/.{1,255}/gs) ?? [''];
  const data = Buffer.concat(parts.map((part) => Buffer.from([part.length, ...Buffer.from(part, 'latin1')])));
  const head = Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    16,
    0,
    1,
    0,
    0,
    0,
    0,
    data.length >> 8,
    data.length & 255,
  ]);
  return Buffer.concat([head, data]);
}
