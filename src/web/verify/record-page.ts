import type { PlatformProofEvidence, ProofDocument, PublishedKey } from '@countersign/proof-kit';
import { proofCardFacts } from '@countersign/proof-kit/card-from-proof';
import { decisionCard } from '@countersign/proof-kit/decision-card';
import { type Html, html, jsonBlock } from '../html.ts';
import { cardTree, timeText, WHAT_NAMES_PROVE } from './browser/card-tree.ts';
import { htmlOf } from './card-html.ts';
import { dropSection, layout, type PageBrand } from './layout.ts';

/**
 * The public page of a sealed record. All content comes from the proof, and the browser computes the verdict, so the page
 * shows only what it proves.
 */
export function recordPage(
  { id, centerName, brand }: { id: string; centerName: string; brand: PageBrand },
  document: ProofDocument,
  keys: PublishedKey[],
): string {
  return layout(
    'Decision proof',
    html`
  <h1>Decision proof</h1>
  <p class="lead">Published by <strong>${centerName}</strong>. Your browser checks the seal itself, and says below what stays the word of the service.</p>
  <section class="verdict" id="verdict" data-state="checking" role="status" aria-live="polite" aria-atomic="true">
    <h2>Checking the seal…</h2>
    <noscript><p>The check runs in your browser and needs JavaScript. Without it you can download the proof and check it with any other tool.</p></noscript>
  </section>
  ${story(document)}
  <section class="card" aria-labelledby="steps-title">
    <h2 id="steps-title">How it was checked</h2>
    <ol class="steps" id="steps" aria-label="Checks of this proof"></ol>
  </section>
  <section class="card" aria-labelledby="take-title">
    <h2 id="take-title">Take the proof with you</h2>
    <p>The file can be checked without this service, with the key that it published at the time. It contains only what the organization discloses. The organization holds the full export, which can be checked below.</p>
    <p><a class="button" href="/verify/${id}/proof.json" download="decision-proof-${id}.json">Download the proof</a></p>
  </section>
  ${dropSection(keys)}
  ${details(document)}
  <p class="paper">This page: <code>${document.verification.verifyUrl}</code>. The proof is the file that can be downloaded there, not this paper.</p>
  ${jsonBlock('proof', document)}`,
    brand,
  );
}

function story(document: ProofDocument): Html {
  const { evidence, verification } = document;
  if ('content' in evidence) return recordStory(evidence);
  const facts = proofCardFacts(document);
  if (!facts) return html``;
  return html`
  <section class="card" aria-labelledby="story-title">
    <h2 id="story-title">What was decided</h2>
    ${htmlOf(cardTree(decisionCard(facts), 3))}
    <h3>Sealed</h3>
    <p>As record ${(verification.chainIndex + 1).toLocaleString('en')} of the ${verification.chainDomain} chain, on ${moment(document.record.timestamp)}.</p>
    <p class="muted">${WHAT_NAMES_PROVE}</p>
  </section>`;
}

const moment = (iso: string): Html => html`<time datetime="${iso}">${timeText(iso)}</time>`;

function recordStory({ content, createdAt, erasedAt }: PlatformProofEvidence): Html {
  const text =
    erasedAt !== undefined
      ? html`<p class="muted">The content of this record was erased.</p>`
      : content === null
        ? html`<p class="muted">The content of this record is private.</p>`
        : html`<pre tabindex="0">${content}</pre>`;
  return html`
  <section class="card" aria-labelledby="story-title">
    <h2 id="story-title">What was recorded</h2>
    ${text}
    <h3>Recorded</h3>
    <p>${moment(createdAt)}</p>
  </section>`;
}

function details({ verification, inclusion, head, publicKey }: ProofDocument): Html {
  const facts: [string, string | number | undefined][] = [
    ['Chain', inclusion?.checkpoint.split('\n', 1)[0] ?? verification.chainDomain],
    [
      'Record',
      `${(verification.chainIndex + 1).toLocaleString('en')} of the ${verification.chainDomain} chain (index ${verification.chainIndex})`,
    ],
    ['Fingerprint', verification.chainHash],
    ['Fingerprint before it', verification.previousHash ?? 'none: the first of its chain'],
    ['Records in the signed summary', inclusion?.treeSize],
    ['Summaries in the log of all chains', head?.treeSize],
    ['Signed with key', publicKey && `${publicKey.keyId} of ${publicKey.name}`],
  ];
  return html`
  <details class="card">
    <summary>Technical details</summary>
    <dl class="facts">${facts.map(
      ([name, value]) => value !== undefined && html`<dt>${name}</dt><dd><code>${value}</code></dd>`,
    )}</dl>
  </details>`;
}
