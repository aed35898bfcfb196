import MarkdownIt from 'markdown-it';
import type { Highlight } from './highlight.ts';

export interface Heading {
  level: number;
  id: string;
  text: string;
}

export interface Section {
  id: string;
  title: string;
  text: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
  /** What the search finds. */
  sections: Section[];
}

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

export function renderMarkdown(source: string, highlight: Highlight): Rendered {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const headings: Heading[] = [];
  const sections: Section[] = [];
  markdown.renderer.rules.fence = (tokens, index) => {
    const { content, info } = tokens[index]!;
    return highlight(content.trimEnd(), info.trim().split(/\s/)[0] ?? '');
  };
  markdown.renderer.rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>';
  const tokens = markdown.parse(source, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]!.content.replaceAll('`', '');
      const id = slug(text);
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      headings.push({ level, id, text });
      sections.push({ id, title: text, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text += ` ${token.content}`;
    }
    for (const child of token.children ?? []) {
      const href = child.type === 'link_open' ? child.attrGet('href') : null;
      if (href) child.attrSet('href', pageAddress(String(href)));
    }
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings, sections };
}

/** Guides link to each other as files, so that they can be read in the repository too. */
function pageAddress(href: string): string {
  const guide = /^(?:\.\/|docs\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  return guide ? `/docs/${guide[1]}${guide[2] ?? ''}` : href;
}
