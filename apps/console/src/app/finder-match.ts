/** "policies" becomes "policy", "keys" becomes "key". */
const singular = (word: string) =>
  word.length > 3 && word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : word.length > 3 && /[^s]s$/.test(word)
      ? word.slice(0, -1)
      : word;

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Whether each word of the query begins a word of the texts, in the singular or plural. */
export function isMatch(query: string, texts: (string | undefined)[]): boolean {
  const words = wordsOf(texts.join(' ')).flatMap((word) => [word, singular(word)]);
  return wordsOf(query).every((wanted) =>
    words.some((word) => word.startsWith(wanted) || word.startsWith(singular(wanted))),
  );
}
