/** Changes to documents without regard to their meaning: in the tree of values, and in the text. */
import type { Random } from './random.ts';

type Json = unknown;
type Members = Record<string, Json>;

/** Boundary values for verifiers. */
const INTERESTING: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  0.5,
  1e21,
  9007199254740991,
  '',
  'x',
  '*',
  'a.*',
  'countersign/4',
  'proof.example',
  'passkey',
  'system',
  'mandate',
  'api_key',
  'session',
  'not required',
  'SIGNED',
  '2026-01-31T12:00:00.000Z',
  '2021-01-31T12:00:00.000Z',
  '2076-02-29T12:00:00.000Z',
  '2026-02-30T12:00:00.000Z',
  'ADA.KELLER@example.test',
  'ada.keller@example.test\u200b',
  'ΑΣ',
  'ας',
  'straße',
  'ß',
  'ﬁ',
  'İ',
  'a\u0301\u1ac1',
  '\u{10570}',
  '\u{1e030}',
  '\u0378',
  '\u{e000}',
  'é'.repeat(128),
  'é'.repeat(129),
  '1 of any human (SESSION): filled',
  '2 of grp_a (SIGNED), 1 of any human (ASSERTED), in order, escalating to grp_b after 60 seconds: filled',
  'approvers at least SIGNED, passkeys at least 24 hours old',
  'risk at most 0.5',
  'risk over 0.1: approval by a human: given',
  {},
  [],
  { id: 'x' },
  { index: 0 },
  [{ index: 1, group: 'grp_a' }],
];

const isObject = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Place {
  holder: Json[] | Members;
  key: string;
}

function placesIn(value: Json, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push({ holder: value as Members, key });
    placesIn((value as Members)[key], places);
  }
  return places;
}

const at = ({ holder, key }: Place): Json => (holder as Members)[key];

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function otherText(text: string, random: Random): string {
  const place = random.below(text.length + 1);
  const [before, after] = [text.slice(0, place), text.slice(place)];
  const kinds = [
    () => before + random.pick([' ', 'x', '0', '\u200d', '\n', 'é', '.', '"']) + after,
    () => before.slice(0, -1) + after,
    () => before.slice(0, -1) + random.pick(['0', '1', 'a', 'f', 'A', '-', '+']) + after,
    () => text.toUpperCase(),
    () => text.replace(/\d+/, (digits) => String(Number(digits) + random.pick([-1, 1, 10]))),
    () => `${text}${text}`,
  ];
  return random.pick(kinds)();
}

function otherValue(value: Json, places: readonly Place[], random: Random): Json {
  const choice = random.next();
  if (choice < 0.35 && typeof value === 'string') return otherText(value, random);
  if (choice < 0.35 && typeof value === 'number') return value + random.pick([-1, 1, 0.5, 1e9]);
  if (choice < 0.35 && typeof value === 'boolean') return !value;
  // A value from elsewhere in the same document is the most likely to be accepted.
  return structuredClone(choice < 0.7 ? at(random.pick(places)) : random.pick(INTERESTING));
}

/** Changes one thing somewhere in a tree, in place. */
export function mutateTree(tree: Json, random: Random): void {
  const all = placesIn(tree);
  if (all.length === 0) return;
  const place = random.pick(all);
  const value = at(place);
  const choice = random.next();
  if (choice < 0.55) (place.holder as Members)[place.key] = otherValue(value, all, random);
  else if (choice < 0.7) remove(place);
  else if (choice < 0.8 && Array.isArray(place.holder))
    place.holder.splice(Number(place.key), 0, structuredClone(value));
  else if (choice < 0.85 && Array.isArray(place.holder)) place.holder.reverse();
  else if (isObject(value)) {
    const { key } = random.pick(all);
    value[random.chance(0.5) ? key : 'more'] = structuredClone(at(random.pick(all)));
  } else if (Array.isArray(value)) value.push(structuredClone(at(random.pick(all))));
  else (place.holder as Members)[place.key] = otherValue(value, all, random);
}

const SNIPPETS = [
  '"a":1,',
  '"record":{},',
  '\\ud83d',
  '\\u0041',
  '1e400',
  '12345678901234567890',
  '-0',
  '1.0',
  ' ',
  '\t',
  ',',
  ':',
  '[',
  ']',
  '{',
  '}',
  'null',
  'NaN',
  '\u0000',
  '\ufeff',
  '\\u0000',
  '//',
];

/** Changes the text of a document, or its bytes. */
export function mutateText(text: string, random: Random): Uint8Array {
  const place = random.below(text.length + 1);
  const length = random.pick([0, 0, 1, 1, 2, 8, 100]);
  const choice = random.next();
  if (choice < 0.05) return Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)]);
  if (choice < 0.15) {
    const bytes = Buffer.from(text);
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  }
  if (choice < 0.25) {
    // A number in another notation, or one that a double cannot represent.
    const spelled = text.replace(/(?<=:)(\d+)(?=[,}])/g, (digits) =>
      random.chance(0.2)
        ? `${digits}${random.pick(['.0', 'e0', 'E+00', '0e-1', '.00000000000000001'])}`
        : digits,
    );
    return Buffer.from(spelled);
  }
  if (choice < 0.35) {
    const depth = random.pick([60, 62, 63, 64, 65, 300]);
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    return Buffer.from(text.replace(/\{/, `{"deep":${nested},`));
  }
  const removed = text.slice(place + length);
  return Buffer.from(text.slice(0, place) + (random.chance(0.7) ? random.pick(SNIPPETS) : '') + removed);
}
