import { type Html, html, Html as Markup } from '../html.ts';
import type { TreeNode } from './browser/card-tree.ts';

/** A tree as HTML. Texts and attributes are escaped. */
export function htmlOf(tree: TreeNode): Html {
  if (typeof tree === 'string') return html`${tree}`;
  const tag = new Markup(tree.tag);
  const attributes = Object.entries(tree.attributes).map(
    ([name, value]) => html` ${new Markup(name)}="${value}"`,
  );
  return html`<${tag}${attributes}>${tree.children.map(htmlOf)}</${tag}>`;
}
