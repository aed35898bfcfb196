/** Something the person starting the service has to know or to put right; its message is one complete line. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}
