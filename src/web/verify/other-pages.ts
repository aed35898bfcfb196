import type { PublishedKey } from '@countersign/proof-kit';
import { html } from '../html.ts';
import { dropSection, layout } from './layout.ts';

/** An unknown id, or an unsealed decision: the page does not distinguish them. */
export const notFoundPage = (keys: PublishedKey[]): string =>
  layout(
    'No proof here',
    html`
  <h1>There is no sealed proof at this address</h1>
  <p class="lead">Either the address is not quite right, or the decision has not been sealed yet. A decision can be checked here from the moment it is approved and sealed.</p>
  <section class="card">
    <h2>What you can do</h2>
    <ul>
      <li>Compare the address with the one you were given, letter by letter.</li>
      <li>Ask the person who gave it to you whether the decision has been approved.</li>
      <li>If you have the exported file, check it right here.</li>
    </ul>
  </section>
  ${dropSection(keys)}`,
  );

/** A record that fails verification on our side: the page says so and certifies nothing. */
export const brokenPage = (keys: PublishedKey[]): string =>
  layout(
    'Proof broken',
    html`
  <h1>Decision proof</h1>
  <section class="verdict" data-state="bad" data-verdict="refuted" role="status">
    <h2>Refuted</h2>
    <p>A record is stored under this address, but it no longer fits its fingerprint, its neighbors in the chain or what was signed about it. It was changed after it was sealed.</p>
  </section>
  ${dropSection(keys)}`,
  );

export const startPage = (keys: PublishedKey[]): string =>
  layout(
    'Check a proof',
    html`
  <h1>Check a decision proof</h1>
  <p class="lead">A decision proof shows what was decided, by whom, and that nobody has changed it since.</p>
  ${dropSection(keys)}`,
  );
