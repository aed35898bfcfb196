const made = new Set<object>();

/**
 * Empties the object when its test file ends. The modules of test files live as long as their process, and with them what
 * their variables hold: some dozens of megabytes in each App.
 */
export function emptiedAtTheEnd<T extends object>(object: T): T {
  made.add(object);
  return object;
}

export function emptyAll(): void {
  for (const object of made) for (const key of Object.keys(object)) Reflect.deleteProperty(object, key);
  made.clear();
}
