/** The values of an enumeration with their descriptions; a value without one does not compile. */
export function worded<Value extends string>(words: Readonly<Record<Value, string>>) {
  const values = Object.entries<string>(words).map(([value, description]) => [value, { value, description }]);
  return Object.fromEntries(values) as { [Key in Value]: { value: Key; description: string } };
}
