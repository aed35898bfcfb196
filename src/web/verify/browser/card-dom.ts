import type { TreeNode } from './card-tree.ts';

/** Builds a tree in the document. Texts become text nodes, never HTML. */
export function nodeOf(tree: TreeNode): Node {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const made = document.createElement(tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) made.setAttribute(name, value);
  made.append(...tree.children.map(nodeOf));
  return made;
}
