import type { TrustedKey } from '@countersign/proof-kit/trust';
import { check } from './check.ts';
import { offerFileCheck } from './file.ts';
import { showVerdict } from './show.ts';

/** What the server put into the page. */
const pageText = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

const published = JSON.parse(pageText('keys')!) as TrustedKey[];
offerFileCheck(published);

const proof = pageText('proof');
if (proof !== undefined) {
  const [box, list] = [document.getElementById('verdict')!, document.getElementById('steps')!];
  await showVerdict(box, list, await check(proof, published));
}
