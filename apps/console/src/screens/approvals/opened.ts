/** Requests whose arguments were on the screen since the console was loaded. */
const opened = new Set<string>();

export const markOpened = (id: string): void => void opened.add(id);
export const wasOpened = (id: string): boolean => opened.has(id);
