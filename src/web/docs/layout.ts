import { Html, html } from '../html.ts';
import { logo } from '../logo.ts';
import { icon, script, stylesheet } from './assets.ts';

export interface NavigationGroup {
  title: string;
  links: { href: string; text: string; method?: string }[];
}

interface PageParts {
  title: string;
  path: string;
  navigation: NavigationGroup[];
  main: Html;
}

/** The layout of the guides and of the API reference. */
export function layout({ title, path, navigation, main }: PageParts): string {
  return html`<!doctype html>
<html lang="en" data-language="curl">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Countersign</title>
  <link rel="icon" href="${icon}" type="image/svg+xml">
  <link rel="stylesheet" href="${stylesheet}">
  <script type="module" src="${script}"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="top">
    <a class="brand" href="/docs">${logo}Countersign</a>
    <nav aria-label="Documentation"><a class="tab" href="/docs">Guides</a><a class="tab" href="/api/docs">API reference</a></nav>
    <search class="search"><label class="hidden" for="search">Search</label>
      <input id="search" type="search" placeholder="Search" autocomplete="off" aria-controls="found">
      <ul id="found" class="found" aria-label="Search results" hidden></ul></search>
  </header>
  <div class="columns">
    <nav class="side" aria-label="Contents">
      ${navigation.map(
        (group) =>
          html`<h2 class="group">${group.title}</h2><ul>${group.links.map(
            ({ href, text, method }) =>
              html`<li><a href="${href}"${current(href, path)}>${method ? html`<span class="method ${method}">${method}</span>` : ''}${text}</a></li>`,
          )}</ul>`,
      )}
    </nav>
    <main id="main" tabindex="-1">${main}</main>
  </div>
</body>
</html>
`.text;
}

const current = (href: string, path: string) => (href === path ? new Html(' aria-current="page"') : '');
