/** Up to this many texts, insertion sort is faster than a library call. */
const FEW = 16;

/** In place, by UTF-16 code units: objects have few members, which are mostly in order. */
export function sortTexts(texts: string[]): string[] {
  if (texts.length > FEW) return texts.sort();
  for (let i = 1; i < texts.length; i++) {
    const text = texts[i]!;
    let at = i;
    for (; at > 0 && texts[at - 1]! > text; at--) texts[at] = texts[at - 1]!;
    texts[at] = text;
  }
  return texts;
}
