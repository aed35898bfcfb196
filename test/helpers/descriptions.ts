/** Words that add nothing to a name. */
const FILLERS = new Set(
  `a an the it its this that these those they their you your our one each of for to in on or and is are was were be been by
   with which who whom what when whether how where why from as at if has have do does id`.split(/\s+/),
);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** `createdAt`, `CREATED_AT` and `created-at` as words. */
const wordsOfName = (name: string): string[] =>
  wordsOf(name.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' '));

/** Forms of a word count as the same word: `expires`, `expired` and `expiry`. */
const stem = (word: string): string => word.replace(/ies$/, 'y').replace(/(ing|ed|es|s|e)$/, '');

/** Whether a description contains no word beyond the names of what it describes, such as "When it was created." for `createdAt`. */
export function repeatsNames(description: string, names: readonly string[]): boolean {
  const known = new Set(names.flatMap(wordsOfName).map(stem));
  return wordsOf(description).every((word) => FILLERS.has(word) || known.has(stem(word)));
}
