const made = new Set<object>();

/**
 * Empties the object when its test file ends. Modules of test files stay in memory as long as their process, and an App held
 * by a variable takes dozens of megabytes.
 */
export function emptiedAtTheEnd<T extends object>(object: T): T {
  made.add(object);
  return object;
}

export function emptyAll(): void {
  for (const object of made) for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
  made.clear();
}
