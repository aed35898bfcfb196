/**
 * The WebAuthn library. It contains every certificate format and takes ten megabytes, so a process loads it only when the
 * first passkey is used.
 */
export async function loadWebauthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
}
