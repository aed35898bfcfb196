import type { ShownApproval, ShownEvent } from '@countersign/proof-kit/disclose';
import {
  isDecisionProofEvidence,
  isRejectionProofEvidence,
  type ProofDocument,
} from '@countersign/proof-kit/proof-document';
import type { PublishedKey } from '@countersign/proof-kit/trust';
import type { ProofVerdict } from '@countersign/proof-kit/verify-steps';
import { checkBytes } from './check.ts';
import { element, showVerdict } from './show.ts';

/** More than the maximum size of a proof: larger files are not read. */
const LARGEST_FILE = 4 * 1024 * 1024;

const PARTIES: Record<string, string> = {
  human: 'a person',
  ai_agent: 'an AI agent',
  system: 'a system',
  service: 'a service',
};
const partyOf = ({ name, id, type }: { name?: string; id?: string; type: string }) =>
  name ?? id ?? PARTIES[type] ?? type;

const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' });
const momentOf = (iso: string) => `${MOMENT.format(new Date(iso))} UTC`;

/** A summary of a proof. Nothing is shown of a refuted one. */
function factsOf({ verdict, document }: ProofVerdict): [string, string][] {
  if (document === null || verdict === 'refuted') return [];
  return [...factsAbout(document), ['Fingerprint', document.evidence.chain.hash]];
}

function factsAbout({ evidence }: ProofDocument): [string, string][] {
  if (!isDecisionProofEvidence(evidence) && !isRejectionProofEvidence(evidence))
    return [['Recorded', momentOf(evidence.createdAt)]];
  const { action, actor } = evidence.event as unknown as ShownEvent;
  const given = isDecisionProofEvidence(evidence) ? evidence.approvals : [evidence.approval];
  const approvals = given as unknown as ShownApproval[];
  return [
    ['Decision', action.description ?? action.type],
    ['Requested by', partyOf(actor)],
    ...approvals.map(({ approver, result, approvedAt }): [string, string] => [
      result === 'rejected' ? 'Rejected by' : 'Approved by',
      `${partyOf(approver)}, ${momentOf(approvedAt)}`,
    ]),
  ];
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
    byId('file-facts').replaceChildren(
      ...factsOf(verdict).flatMap(([name, value]) => [element('dt', name), element('dd', value)]),
    );
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
