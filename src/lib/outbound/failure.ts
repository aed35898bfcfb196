/** All failures of an outbound call, reduced to the few kinds a caller can act on. */

export type FailureKind = 'refused-address' | 'timeout' | 'dns' | 'connect' | 'tls' | 'protocol';

/** Carries a kind through undici, which passes a connector's errors unchanged to the waiting requests. */
export class OutboundError extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'OutboundError';
    this.kind = kind;
  }
}

export function connectFailure(error: Error, protocol: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new OutboundError('timeout', 'the connection could not be opened in time', error);
  }
  // TCP failures have `syscall: 'connect'`, or are one error for all addresses tried. Any other failure to open an https
  // connection comes from the TLS handshake.
  const duringHandshake =
    protocol === 'https:' && syscall !== 'connect' && !(error instanceof AggregateError);
  return new OutboundError(duringHandshake ? 'tls' : 'connect', describe(error), error);
}

/** An error while a request was being sent or its response read. */
export function exchangeFailure(error: Error): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('ERR_SSL_')) return new OutboundError('tls', describe(error), error);
  if (CONNECTION_LOST.has(code)) return new OutboundError('connect', describe(error), error);
  return new OutboundError('protocol', describe(error), error);
}

const CONNECTION_LOST: ReadonlySet<string> = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** An AggregateError has an empty message, so the code is used. */
function describe(error: Error): string {
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
