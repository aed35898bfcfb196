import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { readMails, type StoredMail } from '../lib/mail/stored.ts';
import { Html, html } from './verify/html.ts';

const MOST = 100;

const STYLE = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark}
article{margin:1.5rem 0;padding:1rem 1.25rem;border:1px solid #8888;border-radius:.5rem}
h2{margin:0;font-size:1.1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}a{overflow-wrap:anywhere}`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

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
  ${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
  <h1>Mail</h1>
  <p>Nothing is sent from here: these mails lie in <code>${directory}</code>. Newest first.</p>
  ${mails.length === 0 ? html`<p>There are none yet.</p>` : mails.map(entry)}
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
