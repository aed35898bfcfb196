// An auditor's script: exports every sealed decision of a center, verifies it with the auditor's own keys, and compares it with
// the others. Prints one line per decision. Exit code 0 if all are proven, 1 if one is refuted, else 3.
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
