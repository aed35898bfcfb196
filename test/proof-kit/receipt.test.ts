import { createHash } from 'node:crypto';
import { verifyInclusion } from '@countersign/proof-kit';
import { signNote } from '@countersign/proof-kit/note';
import {
  isSignedByService,
  makeReceipts,
  parseReceipt,
  RECEIPT_KINDS,
  type ReceiptPromise,
} from '@countersign/proof-kit/receipt';
import { describe, expect, it, test } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';

const service = 'proof.example';
const signer = signerFromSeed(1);
const key = signer.keyNamed(service);
let signed = 0;
const sign = (text: string) => {
  signed++;
  return signNote(text, key, signer.sign);
};

const promiseOf = (index: number): ReceiptPromise => ({
  kind: RECEIPT_KINDS[index % RECEIPT_KINDS.length]!,
  eventId: `evt_${index}`,
  origin: `${service}/chains/12/journal`,
  index,
  hash: createHash('sha256').update(String(index)).digest(),
  time: '2026-11-18T09:30:00.000Z',
});
const batchOf = (size: number) =>
  makeReceipts(
    service,
    Array.from({ length: size }, (_, i) => promiseOf(i)),
    sign,
  );

describe('a batch of receipts', () => {
  it('has one signature, under which each receipt is by itself, whatever its size', async () => {
    for (let size = 1; size <= 40; size++) {
      signed = 0;
      const receipts = await batchOf(size);
      expect(signed).toBe(1);
      for (const [index, text] of receipts.entries()) {
        const receipt = parseReceipt(text);
        expect(receipt).toMatchObject({
          service,
          ...promiseOf(index),
          hash: new Uint8Array(promiseOf(index).hash),
        });
        expect(await isSignedByService(receipt, [key])).toBe(true);
      }
    }
  });

  it('has the documented form', async () => {
    const [, second] = await batchOf(3);
    const [promise, proof, note] = second!.split('\n\n');
    const hash = createHash('sha256').update('1').digest('base64');
    expect(promise).toBe(
      `proof.example/receipts\napproved\nevt_1\nproof.example/chains/12/journal\n1\n${hash}\n2026-11-18T09:30:00.000Z`,
    );
    const [place, ...hashes] = proof!.split('\n');
    expect(place).toBe('1 3');
    expect(hashes).toHaveLength(2);
    const [name, size, root] = note!.split('\n');
    expect([name, size]).toEqual(['proof.example/receipts', '3']);
    const decoded = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
    const leaf = createHash('sha256').update('\0').update(`${promise}\n`).digest();
    expect(
      verifyInclusion({ leaf, index: 1, size: 3, proof: hashes.map(decoded), root: decoded(root!) }),
    ).toBe(true);
  });
});

describe('a falsified receipt', async () => {
  const [, good, sibling] = (await batchOf(3)) as [string, string, string];
  const [promise, proof, note, signatures] = good.split('\n\n') as [string, string, string, string];
  const [place, first, second] = proof.split('\n') as [string, string, string];
  const joined = (...parts: string[]) => parts.join('\n\n');
  const alone = await makeReceipts(service, [promiseOf(1)], sign);
  const otherRoot = (await makeReceipts(service, [promiseOf(7), promiseOf(1), promiseOf(2)], sign))[1]!.split(
    '\n\n',
  );
  const unled = 'its proof does not lead to the signed root';

  test.each<[string, string, string]>([
    ['another event', good.replace('evt_1', 'evt_2'), unled],
    ['another kind', good.replace('approved', 'rejected'), unled],
    ['an unknown kind', good.replace('approved', 'accepted'), 'it names no event'],
    ['no event', good.replace('evt_1', ''), 'it is not a receipt'],
    ['another index', good.replace('\n1\n', '\n2\n'), unled],
    ['an index with a zero in front', good.replace('\n1\n', '\n01\n'), 'it names no record'],
    ['another time', good.replace('09:30', '09:31'), unled],
    ['a day that does not exist', good.replace('2026-11-18', '2026-02-30'), 'it has no time'],
    [
      'a chain of another service',
      good.replace('proof.example/chains', 'other.example/chains'),
      'it is not a receipt',
    ],
    ['a log instead of a chain', good.replace('chains/12/journal', 'log'), 'it is not a receipt'],
    [
      'a line too many in the promise',
      joined(`${promise}\nmore`, proof, note, signatures),
      'it is not a receipt',
    ],
    ['a place of another member', joined(promise, proof.replace('1 3', '0 3'), note, signatures), unled],
    [
      'a place outside of the batch',
      joined(promise, proof.replace('1 3', '3 3'), note, signatures),
      'its proof has the wrong form',
    ],
    ['another size', joined(promise, proof.replace('1 3', '1 4'), note, signatures), unled],
    [
      'a third number',
      joined(promise, proof.replace('1 3', '1 3 3'), note, signatures),
      'its proof has the wrong form',
    ],
    [
      'a proof that was cut',
      joined(promise, `${place}\n${first}`, note, signatures),
      'its proof has the wrong form',
    ],
    [
      'a proof with a hash too many',
      joined(promise, `${proof}\n${second}`, note, signatures),
      'its proof has the wrong form',
    ],
    ['a proof in another order', joined(promise, [place, second, first].join('\n'), note, signatures), unled],
    [
      'a hash that is too short',
      joined(promise, [place, first, 'AAAA'].join('\n'), note, signatures),
      'its proof has the wrong form',
    ],
    [
      'base64 that is not canonical',
      joined(promise, [place, first.replace(/.=$/, '/='), second].join('\n'), note, signatures),
      'not canonical base64',
    ],
    ['the proof of another member', joined(promise, sibling.split('\n\n')[1]!, note, signatures), unled],
    ['the note of another batch', joined(promise, proof, otherRoot[2]!, otherRoot[3]!), unled],
    ['the note of a smaller batch', joined(promise, proof, ...alone[0]!.split('\n\n').slice(2)), unled],
    ['a line too many in the note', joined(promise, proof, `${note}\nmore`, signatures), unled],
    [
      'another name in the note',
      joined(promise, proof, note.replace('/receipts', '/log'), signatures),
      unled,
    ],
    ['a part too many', joined(promise, proof, note, note, signatures), 'it is not a receipt'],
    ['a part too few', joined(promise, note, signatures), 'it is not a receipt'],
    ['no newline at its end', good.slice(0, -1), 'the note has no signature part'],
    ['carriage returns', good.replaceAll('\n', '\r\n'), 'it is not a receipt'],
  ])('with %s is not read', (_, text, reason) => {
    expect(text).not.toBe(good);
    expect(() => parseReceipt(text)).toThrow(new TypeError(reason));
  });

  test('with the single signed note of the older format is named as such', async () => {
    const [, , , origin, index, hash, time] = promise.split('\n');
    const older = await sign([`${service}/receipts`, origin, index, hash, time, ''].join('\n'));
    expect(() => parseReceipt(older)).toThrow(new TypeError('it is a receipt of an older format'));
  });

  test('with a note of another key, or of a key retired before, is not signed', async () => {
    const receipt = parseReceipt(good);
    expect(await isSignedByService(receipt, [signerFromSeed(2).keyNamed(service)])).toBe(false);
    expect(await isSignedByService(receipt, [signer.keyNamed('other.example')])).toBe(false);
    expect(await isSignedByService(receipt, [{ ...key, until: '2026-11-18T09:29:59.999Z' }])).toBe(false);
    expect(await isSignedByService(receipt, [{ ...key, until: '2026-11-18T09:30:00.000Z' }])).toBe(true);
    const forged = joined(promise, proof, note, otherRoot[3]!);
    expect(await isSignedByService(parseReceipt(forged), [key])).toBe(false);
  });
});
