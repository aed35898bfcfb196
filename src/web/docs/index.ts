import type { Context, Middleware, Next } from 'koa';
import type { Config } from '../../config.ts';
import { html, Html as Markup } from '../html.ts';
import { assetAt } from './assets.ts';
import { type Guide, renderGuides } from './guides.ts';
import { layout } from './layout.ts';
import { type Description, type Reference, renderReference } from './reference.ts';

/** Highlighting uses style attributes; nothing else is inline, and nothing is loaded from other hosts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** /docs: the guides. /api/docs: the API reference. /api/openapi.json: the OpenAPI document. */
export function documentation(description: object, { publicUrl }: Pick<Config, 'publicUrl'>): Middleware {
  const json = JSON.stringify(description);
  // Rendered on first use, because most processes never serve a page.
  let reference: Promise<Reference> | undefined;
  const readReference = () => {
    reference ??= renderReference(description as Description, publicUrl);
    return reference;
  };
  let guides: Promise<Guide[]> | undefined;
  const readGuides = () => {
    guides ??= renderGuides(publicUrl);
    return guides;
  };
  return async (koa, next) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return next();
    if (koa.path === '/api/openapi.json') {
      koa.state['route'] = koa.path;
      koa.type = 'application/json';
      koa.body = json;
      return undefined;
    }
    if (koa.path === '/api/docs') return show(koa, await referencePage(await readReference()), '/api/docs');
    if (koa.path !== '/docs' && !koa.path.startsWith('/docs/')) return next();
    return serveGuides(koa, next, readGuides, readReference);
  };
}

async function serveGuides(
  koa: Context,
  next: Next,
  readGuides: () => Promise<Guide[]>,
  readReference: () => Promise<Reference>,
): Promise<void> {
  const asset = assetAt(koa.path);
  if (asset) {
    koa.state['route'] = '/docs/assets';
    koa.type = asset.type;
    koa.set('Cache-Control', `public, max-age=${asset.versioned ? '31536000, immutable' : '3600'}`);
    koa.body = asset.body;
    return;
  }
  const guides = await readGuides();
  if (koa.path === '/docs/search.json') {
    koa.state['route'] = koa.path;
    koa.type = 'application/json';
    koa.body = JSON.stringify(searchEntries(guides, await readReference()));
    return;
  }
  const name = koa.path.slice('/docs/'.length);
  const guide = guides.find((each) => each.name === name);
  if (name !== '' && !guide) return next();
  show(koa, guide ? guidePage(guides, guide) : contentsPage(guides), '/docs');
}

function show(koa: Context, page: string, route: string): void {
  koa.state['route'] = route;
  koa.set('Content-Security-Policy', POLICY);
  koa.type = 'html';
  koa.body = page;
}

const guideLinks = (guides: Guide[]) => ({
  title: 'Guides',
  links: guides.map(({ name, title }) => ({ href: `/docs/${name}`, text: title })),
});

function guidePage(guides: Guide[], guide: Guide): string {
  const onThisPage = {
    title: 'On this page',
    links: guide.headings
      .filter(({ level }) => level === 2)
      .map(({ id, text }) => ({ href: `#${id}`, text })),
  };
  return layout({
    title: guide.title,
    path: `/docs/${guide.name}`,
    navigation: [guideLinks(guides), ...(onThisPage.links.length > 0 ? [onThisPage] : [])],
    main: new Markup(guide.html),
  });
}

function contentsPage(guides: Guide[]): string {
  const main = html`<h1>Guides</h1>
    <ul class="cards">${guides.map(
      ({ name, title, sections }) =>
        html`<li><a href="/docs/${name}"><strong>${title}</strong><span>${firstSentence(sections[0]?.text ?? '')}</span></a></li>`,
    )}</ul>`;
  return layout({ title: 'Guides', path: '/docs', navigation: [guideLinks(guides)], main });
}

const firstSentence = (text: string) =>
  (/^.*?[.:](?=\s|$)/s.exec(text.trim())?.[0] ?? '').replace(/[`*]|\[|\]\([^)]*\)/g, '');

function referencePage({ main, navigation }: Reference): string {
  return layout({ title: 'API reference', path: '/api/docs', navigation, main });
}

function searchEntries(guides: Guide[], reference: Reference) {
  return [
    ...guides.flatMap(({ name, title: page, sections }) =>
      sections.map(({ id, title, text }) => ({ id: `/docs/${name}#${id}`, title, page, text })),
    ),
    ...reference.sections.map(({ id, title, text }) => ({
      id: `/api/docs#${id}`,
      title,
      page: 'API reference',
      text,
    })),
  ];
}
