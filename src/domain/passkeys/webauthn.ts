/**
 * The library that makes and checks what browsers and authenticators say. It knows every kind of certificate there is, ten
 * megabytes of it, so a process loads it when the first passkey is about.
 */
export async function loadWebauthn() {
  const [server, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  return { ...server, ...helpers };
}
