import { BREAK, type DocumentNode, visit } from 'graphql';

const known = new WeakMap<DocumentNode, boolean>();

/** Whether a document asks what the schema holds. `__typename` says only what an answer is made of. */
export function asksAboutSchema(document: DocumentNode): boolean {
  const before = known.get(document);
  if (before !== undefined) return before;
  let asks = false;
  visit(document, {
    Field({ name }) {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      asks = true;
      return BREAK;
    },
  });
  known.set(document, asks);
  return asks;
}
