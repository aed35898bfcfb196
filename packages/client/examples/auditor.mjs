// An auditor's script: every sealed decision of a center is exported, checked against keys that the auditor brought along,
// and held against the others. One line a decision; exit code 0 when all are proven, 1 when one is refuted, else 3.
//   COUNTERSIGN_URL=… COUNTERSIGN_API_KEY=csk_… node auditor.mjs VKEY…
import { Countersign } from '@countersign/client';
import { compareProofs, verifyProof } from '@countersign/client/proof';

const keys = process.argv.slice(2);
if (keys.length === 0)
  throw new Error('Name the keys you trust, from somewhere other than the service itself.');
const client = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? 'http://localhost:4000',
  apiKey: process.env.COUNTERSIGN_API_KEY,
});

const proofs = [];
for await (const { id } of client.decisions.list({ status: 'sealed' })) {
  const { evidence } = await client.decisions.get(id);
  const document = await client.evidence.export(evidence.id);
  proofs.push({ name: id, verdict: await verifyProof(document, { keys }) });
}

const verdicts = compareProofs(proofs).map(({ name, verdict: { verdict, reason } }) => {
  console.log(`${name}: ${verdict}: ${reason}`);
  return verdict;
});
process.exitCode = verdicts.includes('refuted') ? 1 : verdicts.every((each) => each === 'proven') ? 0 : 3;
