import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedLookup, publicDns } from '../../src/lib/outbound/targets.ts';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const NXDOMAIN = 3;

let nameServer: Socket | undefined;

/** A name server on loopback that gives every name the same records. */
async function serveRecords(records: Record<number, Buffer[]>): Promise<string> {
  const socket = createSocket('udp4');
  nameServer = socket;
  socket.on('message', (query, from) => {
    const question = query.subarray(HEADER_BYTES, query.indexOf(0, HEADER_BYTES) + 5);
    const type = question.readUInt16BE(question.length - 4);
    const found = records[type] ?? [];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 + (Object.keys(records).length === 0 ? NXDOMAIN : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(found.length, 6);
    const answers = found.map((data) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc000 + HEADER_BYTES, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const IPV4 = Buffer.from([93, 184, 216, 34]);
const IPV6 = Buffer.from('26064700470000000000000000001111', 'hex');

afterEach(() => {
  nameServer?.close();
  nameServer = undefined;
});

describe('publicDns', () => {
  it('returns the addresses of both families', async () => {
    const resolve = publicDns([await serveRecords({ [TYPE_A]: [IPV4], [TYPE_AAAA]: [IPV6] })]);
    expect(await resolve('both.example.com')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
  });

  it('succeeds with one address family', async () => {
    const resolve = publicDns([await serveRecords({ [TYPE_AAAA]: [IPV6] })]);
    expect(await resolve('six.example.com')).toEqual([{ address: '2606:4700:4700::1111', family: 6 }]);
  });

  it('rejects when the name does not exist', async () => {
    const resolve = publicDns([await serveRecords({})]);
    await expect(resolve('nowhere.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

/** Asked like a socket but without one: a faulty lookup must not make a test call these addresses. */
describe('guardedLookup', () => {
  const ask = (addresses: { address: string; family: number }[], all: boolean) =>
    new Promise((resolve) => {
      const lookup = guardedLookup({
        resolve: async () => addresses,
        allowPrivate: false,
        lookupMs: 1,
      });
      lookup('hooks.example.com', { all }, (error, found) => resolve(error ?? found));
    });
  const PUBLIC = { address: '93.184.216.34', family: 4 };

  it('returns public addresses, all or the first', async () => {
    expect(await ask([PUBLIC], true)).toEqual([PUBLIC]);
    expect(await ask([PUBLIC], false)).toBe(PUBLIC.address);
  });

  it.each([
    ['after a public one', [PUBLIC, { address: '127.0.0.1', family: 4 }]],
    ['of a metadata service', [{ address: '169.254.169.254', family: 4 }]],
    ['behind NAT64', [{ address: '64:ff9b::7f00:1', family: 6 }]],
    ['behind 6to4', [{ address: '2002:7f00:1::', family: 6 }]],
  ])('rejects an address %s', async (_where, addresses) => {
    for (const all of [true, false]) expect(await ask(addresses, all)).toMatchObject({ kind: 'dns' });
  });
});
