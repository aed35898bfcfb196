import { cosign, parseCheckpoint, signCheckpoint } from '@countersign/proof-kit';
import { countWitnesses } from '@countersign/proof-kit/trust';
import { expect, test } from 'vitest';
import { signerFromSeed } from '../vectors/signer.ts';

test('one witness key under two names counts once', async () => {
  const service = signerFromSeed(1);
  const checkpoint = { origin: 'proof.example/log', size: 3, root: new Uint8Array(32) };
  const signed = await signCheckpoint(checkpoint, service.keyNamed('proof.example'), service.sign);
  const witness = signerFromSeed(2);
  const [one, two] = [witness.keyNamed('one.example'), witness.keyNamed('two.example')];
  const other = signerFromSeed(3).keyNamed('three.example');
  const { text } = parseCheckpoint(signed).note;
  const lines = [
    await cosign(text, 1_800_000_000, one, witness.sign),
    await cosign(text, 1_800_000_000, two, witness.sign),
    await cosign(text, 1_800_000_000, other, signerFromSeed(3).sign),
  ];
  const cosigned = parseCheckpoint(signed + lines.join(''));
  expect(await countWitnesses(cosigned, { witnesses: [one, two] })).toBe(1);
  expect(await countWitnesses(cosigned, { witnesses: [one, two, other] })).toBe(2);
});
