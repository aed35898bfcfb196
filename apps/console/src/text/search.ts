/** Reads query parameters; invalid ones are ignored. */
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
