import { verifyExportText } from '../../../proof-kit/verify.ts';
import type { TrustedKey } from '../../../proof-kit/verify-steps.ts';
import { check } from './check.ts';
import { element, showVerdict } from './show.ts';

const LARGEST_FILE = 10_000_000;

/** What a file says of itself, before anybody has checked it. */
function factsOf(document: unknown): [string, string][] {
  const { evidence } = (document ?? {}) as { evidence?: Record<string, never> };
  const { event, approval, chain } = (evidence ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const party = (value: unknown) => {
    const { name, id } = (value ?? {}) as { name?: unknown; id?: unknown };
    return name ?? id;
  };
  const action = event?.['action'] as { description?: unknown; type?: unknown } | undefined;
  const facts: [string, unknown][] = [
    ['Decision', action?.description ?? action?.type],
    ['Decided by', party(event?.['actor'])],
    ['Approved by', party(approval?.['approver'])],
    ['Approved', approval?.['approvedAt']],
    ['Fingerprint', chain?.['hash']],
  ];
  return facts.filter((fact): fact is [string, string] => typeof fact[1] === 'string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function checkText(text: string, trustedKeys: TrustedKey[]) {
  const document = parsed(text);
  const checked =
    document === undefined
      ? { verdict: await verifyExportText(text), byService: false }
      : await check(document, trustedKeys);
  return { ...checked, facts: factsOf(document) };
}

/** Lets the visitor choose or drop a file, and checks it without sending it anywhere. */
export function offerFileCheck(trustedKeys: TrustedKey[]): void {
  const byId = (id: string) => document.getElementById(id)!;
  const input = byId('file') as HTMLInputElement;
  const zone = byId('drop');

  async function checkFile(file: File): Promise<void> {
    const box = byId('file-verdict');
    byId('file-result').hidden = false;
    byId('file-name').textContent = file.name;
    box.dataset['state'] = 'checking';
    box.replaceChildren(element('h2', 'Checking the file…'));
    const text = file.size > LARGEST_FILE ? '' : await file.text();
    const { verdict, byService, facts } = await checkText(text, trustedKeys);
    byId('file-facts').replaceChildren(
      ...facts.flatMap(([name, value]) => [element('dt', name), element('dd', value)]),
    );
    await showVerdict(box, byId('file-steps'), verdict, byService);
  }

  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file) void checkFile(file);
    // So that the same file can be chosen again after it was changed.
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
}
