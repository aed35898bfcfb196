import type { TrustedKey } from '../../../proof-kit/verify-steps.ts';
import { check } from './check.ts';
import { offerFileCheck } from './file.ts';
import { showVerdict } from './show.ts';

/** What the server put into the page. */
function pageData(id: string): unknown {
  const block = document.getElementById(id);
  return block ? JSON.parse(block.textContent) : undefined;
}

const trustedKeys = pageData('keys') as TrustedKey[];
offerFileCheck(trustedKeys);

const proof = pageData('proof');
if (proof !== undefined) {
  const { verdict, byService } = await check(proof, trustedKeys);
  const [box, list] = [document.getElementById('verdict')!, document.getElementById('steps')!];
  await showVerdict(box, list, verdict, byService);
}
