/** `fetch` with errors that name the unreachable URL and the cause. */
export async function fetchUrl(address: string | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    throw new Error(`${address} cannot be reached: ${cause?.code ?? cause?.message ?? message}`, {
      cause: error,
    });
  }
}
