import { proofCardFacts } from '@countersign/proof-kit/card-from-proof';
import { decisionCard } from '@countersign/proof-kit/decision-card';
import type { PublishedKey } from '@countersign/proof-kit/trust';
import type { ProofVerdict } from '@countersign/proof-kit/verify-steps';
import { nodeOf } from './card-dom.ts';
import { cardTree, timeText, WHAT_NAMES_PROVE } from './card-tree.ts';
import { checkBytes } from './check.ts';
import { element, showVerdict } from './show.ts';

/** More than the maximum size of a proof: larger files are not read. */
const LARGEST_FILE = 4 * 1024 * 1024;

/** What a file shows besides the verdict. Nothing is shown of a refuted one. */
function contentOf({ verdict, document }: ProofVerdict): Node[] {
  if (document === null || verdict === 'refuted') return [];
  const { evidence } = document;
  const facts = proofCardFacts(document);
  return [
    ...(facts
      ? [nodeOf(cardTree(decisionCard(facts), 3)), element('p', WHAT_NAMES_PROVE, 'muted')]
      : [element('p', `Recorded on ${timeText(evidence.createdAt)}.`)]),
    fingerprintOf(evidence.chain.hash),
  ];
}

function fingerprintOf(hash: string): Node {
  const list = element('dl', '', 'facts');
  const value = element('dd');
  value.append(element('code', hash));
  list.append(element('dt', 'Fingerprint'), value);
  return list;
}

/** Lets the visitor choose or drop a file, and verifies it locally. Returns a function that verifies it again. */
export function offerFileCheck(published: readonly PublishedKey[]): () => void {
  const byId = (id: string) => document.getElementById(id)!;
  const input = byId('file') as HTMLInputElement;
  const zone = byId('drop');

  let newest = 0;
  let shown: File | undefined;

  async function checkFile(file: File): Promise<void> {
    shown = file;
    const number = ++newest;
    const isCurrent = () => number === newest;
    const box = byId('file-verdict');
    byId('file-result').hidden = false;
    byId('file-name').textContent = file.name;
    box.dataset['state'] = 'checking';
    delete box.dataset['verdict'];
    box.replaceChildren(element('h2', 'Checking the file…'));
    byId('file-facts').replaceChildren();
    byId('file-steps').replaceChildren();
    const read = file.slice(0, LARGEST_FILE + 1);
    const verdict = await checkBytes(file.name, new Uint8Array(await read.arrayBuffer()), published);
    if (!isCurrent()) return;
    byId('file-facts').replaceChildren(...contentOf(verdict));
    await showVerdict(box, byId('file-steps'), verdict, isCurrent);
  }

  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void checkFile(file);
    // Allows the same file to be chosen again after a change.
    input.value = '';
  });
  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.dataset['over'] = 'true';
  });
  zone.addEventListener('dragleave', () => delete zone.dataset['over']);
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    delete zone.dataset['over'];
    const file = event.dataTransfer?.files[0];
    if (file) void checkFile(file);
  });
  /** Verifies the last chosen file again. */
  return () => {
    if (shown) void checkFile(shown);
  };
}
