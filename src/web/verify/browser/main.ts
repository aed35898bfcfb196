import type { PublishedKey } from '@countersign/proof-kit/trust';
import { check, enteredKey } from './check.ts';
import { offerFileCheck } from './file.ts';
import { showVerdict } from './show.ts';

/** Data that the server put into the page. */
const pageText = (id: string): string | undefined => document.getElementById(id)?.textContent ?? undefined;

const published = JSON.parse(pageText('keys')!) as PublishedKey[];
const recheckFile = offerFileCheck(published);

const field = document.getElementById('trusted-key') as HTMLInputElement;
const fault = document.getElementById('trusted-key-fault')!;

/** Whether the entered key is valid; if not, shows an error beside the field. */
function isKeySound(): boolean {
  try {
    enteredKey();
    fault.textContent = '';
    field.removeAttribute('aria-invalid');
    return true;
  } catch {
    fault.textContent = 'Enter a verifier key of the form name+id+key, as the service publishes it.';
    field.setAttribute('aria-invalid', 'true');
    return false;
  }
}

const proof = pageText('proof');
const [box, list] = [document.getElementById('verdict'), document.getElementById('steps')];
async function checkPage(): Promise<void> {
  if (proof === undefined || !box || !list) return;
  await showVerdict(box, list, await check(proof, published));
}
field.addEventListener('change', () => {
  if (!isKeySound()) return;
  void checkPage();
  recheckFile();
});
// Nothing can be opened on paper: it shows the technical details.
window.addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
await checkPage();
