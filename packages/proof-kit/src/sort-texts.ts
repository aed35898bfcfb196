/** So many texts are sorted faster one by one than by calling for help. */
const FEW = 16;

/** In place, by UTF-16 code units, and without a second list: objects have few members, and most of them nearly in order. */
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
