/** Reads the named parts of an address behind the question mark; what makes no sense there is left out. */
export function texts<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [Each in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        return (typeof value === 'string' && value !== '') || typeof value === 'number'
          ? [[name, String(value)]]
          : [];
      }),
    ) as { [Each in Name]?: string };
}
