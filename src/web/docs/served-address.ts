/** The address that the guides and examples name, as in the repository: a server started without settings. */
const DEFAULT_ADDRESS = 'http://localhost:4000';

/** The text with the address of the server that serves it. */
export const atServedAddress = (text: string, publicUrl: string): string =>
  text.replaceAll(DEFAULT_ADDRESS, () => publicUrl);
