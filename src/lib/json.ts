export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value itself if it is an object, otherwise an empty one. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * JSON Merge Patch (RFC 7396): objects merge key by key, null removes a key, anything else replaces. Built from entries, so
 * that a key such as `__proto__` is treated like any other.
 */
export function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(objectOf(target)));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergePatch(merged.get(key), value) : value);
  }
  return Object.fromEntries(merged);
}
