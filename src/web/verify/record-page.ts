import type { PublicProof } from '../../domain/proof/public-proof.ts';
import {
  type ExportApproval,
  type ExportEvent,
  isDecisionProofEvidence,
  type ProofDocument,
  type TrustedKey,
} from '../../proof-kit/index.ts';
import { type Html, html, jsonBlock } from './html.ts';
import { dropSection, layout } from './layout.ts';
import { kindOf, moment, partyOf } from './words.ts';

type Sealed = PublicProof & { document: ProofDocument };

/** What was decided, by whom, approved by whom, when; the verdict is the browser's own. */
export function recordPage(id: string, proof: Sealed, keys: TrustedKey[]): string {
  const { document, centerName } = proof;
  return layout(
    'Decision proof',
    html`
  <h1>Decision proof</h1>
  <p class="lead">Recorded and sealed by <strong>${centerName}</strong>. Your browser checks the seal itself: nobody has to be believed.</p>
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
    <p>${
      proof.disclose.length > 0
        ? 'The file holds everything needed to check this decision without us, today or in ten years.'
        : 'This public copy leaves out what the decision was based on, because that is private. It proves the seal, the place in the chain and the signature. The full export, held by the organization, proves every word; it can be checked below.'
    }</p>
    <p><a class="button" href="/verify/${id}/proof.json" download="decision-proof-${id}.json">Download the proof</a></p>
  </section>
  ${dropSection(keys)}
  ${details(document)}
  ${jsonBlock('proof', document)}`,
  );
}

function story({ evidence }: ProofDocument): Html {
  if (!isDecisionProofEvidence(evidence)) {
    return html`
  <section class="card" aria-labelledby="story-title">
    <h2 id="story-title">What was recorded</h2>
    ${evidence.content === null ? html`<p class="muted">The content of this record is private.</p>` : html`<pre>${evidence.content}</pre>`}
    <ol class="story">
      ${evidence.createdAt && html`<li><h3>Recorded</h3><p>${moment(evidence.createdAt)}</p></li>`}
      ${evidence.sealedAt && html`<li><h3>Sealed</h3><p>${moment(evidence.sealedAt)}</p></li>`}
    </ol>
  </section>`;
  }
  const { sealedAt } = evidence;
  const event = evidence.event as unknown as ExportEvent;
  const approvals = evidence.approvals as unknown as ExportApproval[];
  const { action, aiContext } = event;
  return html`
  <section class="card" aria-labelledby="story-title">
    <h2 id="story-title">What was decided</h2>
    <p class="decision">${action.description || action.type}</p>
    <p class="muted">${kindOf(event.type)} · <code>${action.type}</code></p>
    <ol class="story">
      <li><h3>Decided by</h3><p>${partyOf(event.actor)}</p><p class="muted">${moment(event.occurredAt)}</p>
        ${aiContext?.model && html`<p class="muted">Model ${aiContext.model}${typeof aiContext.confidence === 'number' && ` · confidence ${Math.round(aiContext.confidence * 100)} %`}</p>`}
        ${aiContext?.reasoning && html`<blockquote>${aiContext.reasoning}</blockquote>`}</li>
      ${approvals.map(
        ({ approver, reason, approvedAt }) => html`
      <li><h3>Approved by</h3><p>${partyOf(approver)}</p><p class="muted">${moment(approvedAt)}</p>
        ${reason && html`<blockquote>${reason}</blockquote>`}</li>`,
      )}
      ${sealedAt && html`<li><h3>Sealed</h3><p>Fixed on the chain for good</p><p class="muted">${moment(sealedAt)}</p></li>`}
    </ol>
    ${free('What it was based on', action.input)}
    ${free('What came out of it', action.output)}
  </section>`;
}

function free(title: string, value: unknown): Html | null {
  if (value === undefined || value === null) return null;
  return html`<h3>${title}</h3><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function details({ evidence, verification, inclusion, publicKey }: ProofDocument): Html {
  const facts: [string, string | number | undefined][] = [
    ['Decision', evidence.decisionId],
    ['Evidence', evidence.id],
    ['Chain', verification.chainDomain],
    ['Place in the chain', verification.chainIndex],
    ['Fingerprint', verification.chainHash],
    ['Fingerprint before it', verification.previousHash ?? 'none: the first of its chain'],
    ['Records in the signed summary', inclusion?.treeSize],
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
