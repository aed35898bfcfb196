import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { readMails, type StoredMail } from '../lib/mail/stored.ts';
import { Html, html } from './html.ts';
import { logo } from './logo.ts';

const MOST = 100;

const STYLE = `:root{color-scheme:light dark;--ground:light-dark(#f6f8f9,#0c1014);--card:light-dark(#fff,#12171c);--line:light-dark(#e3e8ec,#262e36)}
body{max-width:46rem;margin:1.5rem auto;padding:0 1rem;background:var(--ground);font:1rem/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI","Inter","Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif}
.brand{display:flex;align-items:center;gap:.55rem;font-weight:700}.seal{width:1.6rem;fill:#0b6b53}
.seal path{fill:none;stroke:#fff;stroke-width:3.2;stroke-linecap:round;stroke-linejoin:round}
article{margin:1.5rem 0;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{font-size:1.5rem}h2{margin:0;font-size:1.1rem}a{color:inherit;overflow-wrap:anywhere}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}`;

const POLICY = `default-src 'none'; img-src 'self'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** /dev/mail: the mails that were written to files instead of being sent. Not available in production. */
export function devMail({ config }: App): Middleware[] {
  const { target } = config.mail;
  if (config.production || target?.kind !== 'files') return [];
  const page: Middleware = async (koa, next) => {
    if (koa.path !== '/dev/mail' || (koa.method !== 'GET' && koa.method !== 'HEAD')) return next();
    koa.state['route'] = koa.path;
    koa.set('Cache-Control', 'no-store');
    koa.vary('Accept');
    const mails = await readMails(target.directory, MOST);
    if (koa.accepts('html', 'json') === 'json') {
      koa.body = mails;
      return;
    }
    koa.set('Content-Security-Policy', POLICY);
    koa.type = 'html';
    koa.body = mailPage(mails, target.directory);
  };
  return [page];
}

function mailPage(mails: StoredMail[], directory: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Mail · Countersign</title>
  <link rel="icon" href="/verify/assets/icon.svg" type="image/svg+xml">
  ${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
  <header class="brand">${logo}Countersign</header>
  <main>
  <h1>Mail</h1>
  <p>This installation sends no mail. It writes mails to <code>${directory}</code>. The newest are first.</p>
  ${mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(entry)}
  </main>
</body>
</html>
`.text;
}

const entry = ({ to, subject, text, links, at }: StoredMail): Html => html`
  <article>
    <h2>${subject}</h2>
    <p>To ${to}, ${at}</p>
    ${links.map((link) => html`<p><a href="${link}">${link}</a></p>`)}
    <pre>${text}</pre>
  </article>`;
