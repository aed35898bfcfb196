import { createHash } from 'node:crypto';
import { isRecordTimestamp, recordHash } from '@countersign/proof-kit/record';
import { sha256 } from '@countersign/proof-kit/sha256';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const native = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex');

describe('SHA-256', () => {
  it('agrees with the native digest on every length around the block boundaries', () => {
    for (let length = 0; length <= 200; length++) {
      const data = Uint8Array.from({ length }, (_, i) => (i * 31 + length) % 256);
      expect(Buffer.from(sha256(data)).toString('hex')).toBe(native(data));
    }
  });

  it('agrees with the native digest for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (data) => {
        expect(Buffer.from(sha256(data)).toString('hex')).toBe(native(data));
      }),
    );
  });

  it('hashes only the view it is given', () => {
    const whole = Uint8Array.of(1, 2, 3, 4, 5);
    expect(Buffer.from(sha256(whole.subarray(1, 3))).toString('hex')).toBe(native(Uint8Array.of(2, 3)));
  });
});

describe('the chain rule', () => {
  const timestamp = '2026-01-31T12:00:00.000Z';
  const previousHash = 'ab'.repeat(32);

  it('hashes content, previous hash and timestamp as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (content) => {
        expect(recordHash({ content, previousHash, timestamp })).toBe(
          native(content + previousHash + timestamp),
        );
        expect(recordHash({ content, previousHash: '', timestamp })).toBe(native(content + timestamp));
      }),
    );
  });

  it('uses the given digest function', () => {
    const digest = (data: Uint8Array) => Uint8Array.of(data.length);
    expect(recordHash({ content: 'é', previousHash: '', timestamp }, digest)).toBe('1a');
  });

  it.each([
    ['upper-case previous hash', { previousHash: previousHash.toUpperCase() }],
    ['short previous hash', { previousHash: 'ab' }],
    ['prefixed previous hash', { previousHash: `sha256:${previousHash}` }],
    ['time without milliseconds', { timestamp: '2026-01-31T12:00:00Z' }],
    ['time with microseconds', { timestamp: '2026-01-31T12:00:00.000000Z' }],
    ['time with an offset', { timestamp: '2026-01-31T12:00:00.000+01:00' }],
    ['lone surrogate', { content: 'a\ud800b' }],
  ])('rejects a %s', (_, part) => {
    expect(() => recordHash({ content: 'x', previousHash, timestamp, ...part })).toThrow(TypeError);
  });

  it('rejects dates that do not exist', () => {
    expect(isRecordTimestamp('2028-02-29T00:00:00.000Z')).toBe(true);
    expect(isRecordTimestamp('2026-02-29T00:00:00.000Z')).toBe(false);
    expect(isRecordTimestamp('2026-01-31T24:00:00.000Z')).toBe(false);
    expect(isRecordTimestamp('2026-13-01T00:00:00.000Z')).toBe(false);
  });
});
