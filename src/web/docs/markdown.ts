import MarkdownIt from 'markdown-it';
import type { Highlight } from './highlight.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

interface Heading {
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
  /** A search result. */
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
    const [language = '', ...note] = info.trim().split(/\s+/);
    const caption = note.length > 0 ? `<p class="note">${markdown.utils.escapeHtml(note.join(' '))}</p>` : '';
    return caption + highlight(content.trimEnd(), language);
  };
  markdown.renderer.rules.table_open = () =>
    '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
  markdown.renderer.rules.table_close = () => '</table></div>';
  const tokens = markdown.parse(source, {});
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const text = tokens[index + 1]!.content.replaceAll('`', '');
      // Headings may repeat, but their anchors must be unique, both on the page and for the search.
      const same = headings.filter((other) => other.text === text).length;
      const id = slug(text) + (same > 0 ? `-${same + 1}` : '');
      token.attrSet('id', id);
      const level = Number(token.tag.slice(1));
      headings.push({ level, id, text });
      sections.push({ id, title: text, text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1);
      if (section) section.text += ` ${token.content}`;
    }
    redirect(token.children ?? []);
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), headings, sections };
}

/** Guides link to each other and to images as files, so that the links also work in the repository. */
function redirect(tokens: Token[]): void {
  let elsewhere = false;
  for (const token of tokens) {
    if (token.type === 'image') token.attrSet('src', `/docs/${token.attrGet('src')}`);
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href'));
      const guide = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href);
      if (guide) token.attrSet('href', `/docs/${guide[1]}${guide[2] ?? ''}`);
      // A file that exists only in the repository.
      elsewhere = href.startsWith('../');
      if (elsewhere) token.attrs = [];
    }
    if (elsewhere && token.type.startsWith('link_')) token.tag = 'span';
  }
}
