import {
  isDecisionProofEvidence,
  type PlatformProofEvidence,
  type ProofDocument,
  type PublishedKey,
  type SealedPolicy,
  type ShownApproval,
  type ShownEvent,
} from '@countersign/proof-kit';
import { guardName, guardSentence, isRequired } from '@countersign/proof-kit/guard-sentences';
import { type Html, html, jsonBlock } from '../html.ts';
import { authenticationOf, kindOf, moment, partyOf } from './labels.ts';
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
  ${jsonBlock('proof', document)}`,
    brand,
  );
}

function story({ evidence, verification }: ProofDocument): Html {
  if (!isDecisionProofEvidence(evidence)) return 'content' in evidence ? recordStory(evidence) : html``;
  const event = evidence.event as unknown as ShownEvent;
  const approvals = evidence.approvals as unknown as ShownApproval[];
  const { guards } = evidence.policy as unknown as SealedPolicy;
  const { action, aiContext } = event;
  return html`
  <section class="card" aria-labelledby="story-title">
    <h2 id="story-title">What was decided</h2>
    <p class="decision">${action.description || kindOf(event.type)}</p>
    <p class="muted">${action.description && html`${kindOf(event.type)} · `}<code>${action.type}</code></p>
    <ol class="story">
      <li><h3>Decided by</h3><p>${partyOf(event.actor)}</p><p class="muted">${moment(event.occurredAt)}</p>
        ${aiContext?.model && html`<p class="muted">Model ${aiContext.model}${typeof aiContext.confidence === 'number' && ` · confidence ${Math.round(aiContext.confidence * 100)} %`}</p>`}
        ${aiContext?.reasoning && html`<blockquote>${aiContext.reasoning}</blockquote>`}</li>
      ${approvals.map(
        ({ approver, reason, approvedAt, by }) => html`
      <li><h3>Approved by</h3><p>${partyOf(approver)}, ${authenticationOf(by.kind)}</p><p class="muted">${moment(approvedAt)}</p>
        ${reason && html`<blockquote>${reason}</blockquote>`}</li>`,
      )}
      <li><h3>Sealed</h3><p>As record number ${verification.chainIndex.toLocaleString('en')} of the ${verification.chainDomain} chain</p><p class="muted">${moment(evidence.sealedAt)}</p></li>
    </ol>
    ${free('What it was based on', action.input)}
    ${free('What came out of it', action.output)}
    <h3>What the policies considered required</h3>
    <dl class="facts">${guards.filter(isRequired).map(({ guard, detail }) => html`<dt>${guardName(guard)}</dt><dd>${guardSentence(detail)}</dd>`)}</dl>
  </section>`;
}

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
    <ol class="story"><li><h3>Recorded</h3><p>${moment(createdAt)}</p></li></ol>
  </section>`;
}

function free(title: string, value: unknown): Html | null {
  if (value === undefined || value === null) return null;
  return html`<h3>${title}</h3><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function details({ verification, inclusion, head, publicKey }: ProofDocument): Html {
  const facts: [string, string | number | undefined][] = [
    ['Chain', inclusion?.checkpoint.split('\n', 1)[0] ?? verification.chainDomain],
    [
      'Record',
      `Number ${verification.chainIndex.toLocaleString('en')} of the ${verification.chainDomain} chain`,
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
