import type { PublishedKey } from '@countersign/proof-kit';
import { type Html, html, jsonBlock } from '../html.ts';
import { logo } from '../logo.ts';
import { entryScript, stylesheet } from './assets.ts';

/** The brand of the center that published a record. */
export interface PageBrand {
  centerDomain: string;
  name: string | null;
  hasLogo: boolean;
  hasColors: boolean;
}

/** The service is named beside a brand: the service provides the verification, the brand the record. */
const head = ({ centerDomain, name, hasLogo }: PageBrand): Html => html`
  <span class="brand">${hasLogo ? html`<img class="logo" src="/brand/${centerDomain}/logo" alt="">` : logo}${name ?? 'Countersign'}</span>
  <span class="motto">${name ? 'Proven with Countersign' : 'Decisions that can be proven'}</span>`;

const PLAIN: PageBrand = { centerDomain: '', name: null, hasLogo: false, hasColors: false };

/** The layout of all verification pages. */
export function layout(title: string, main: Html, brand: PageBrand = PLAIN): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <meta name="robots" content="noindex">
  <title>${title} · Countersign</title>
  <link rel="icon" href="/verify/assets/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="${stylesheet}">
  ${brand.hasColors ? html`<link rel="stylesheet" href="/brand/${brand.centerDomain}/style.css">` : ''}
  <script type="module" src="${entryScript}"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top"><div class="wrap">${head(brand)}</div></header>
  <main id="main" class="wrap" tabindex="-1">
${main}
  </main>
  <footer class="wrap foot"><p>Every check on this page runs in your browser. Files you choose never leave your device.</p></footer>
</body>
</html>
`.text;
}

/** The link to the file check, on every page. */
export const dropSection = (keys: PublishedKey[]): Html => html`
  <section class="card" aria-labelledby="drop-title">
    <h2 id="drop-title">Check a file yourself</h2>
    <p>Have you been given an exported proof? Check it here. It stays on your device.</p>
    <div class="drop" id="drop">
      <input class="drop-input" type="file" id="file" accept=".json,.jsonld,application/json,application/ld+json" aria-describedby="drop-hint">
      <label for="file"><strong>Choose a proof file</strong> <span id="drop-hint">or drop it here</span></label>
    </div>
    <div class="field">
      <label for="trusted-key">Key you trust (optional)</label>
      <input type="text" id="trusted-key" autocomplete="off" spellcheck="false" aria-describedby="trusted-key-hint trusted-key-fault">
      <p class="muted" id="trusted-key-hint">The verifier key that you were given, or that the service publishes at /.well-known/countersign-keys.json. Everything on this page is then verified with this key alone.</p>
      <p class="fault" id="trusted-key-fault" role="alert"></p>
    </div>
    <div id="file-result" hidden>
      <p class="file-name" id="file-name"></p>
      <div class="verdict" id="file-verdict" data-state="checking" role="status" aria-live="polite" aria-atomic="true"></div>
      <div id="file-facts"></div>
      <ol class="steps" id="file-steps" aria-label="Checks of the file"></ol>
    </div>
  </section>
  ${jsonBlock('keys', keys)}`;
