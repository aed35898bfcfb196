/** The values of an enumeration with their descriptions. A value without a description does not compile. */
export function describedValues<Value extends string>(descriptions: Readonly<Record<Value, string>>) {
  const values = Object.entries<string>(descriptions).map(([value, description]) => [
    value,
    { value, description },
  ]);
  return Object.fromEntries(values) as { [Key in Value]: { value: Key; description: string } };
}
