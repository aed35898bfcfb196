export interface SpanInput {
  name: string;
  kind: 'server' | 'internal' | 'client' | 'consumer';
  /** The W3C `traceparent` of the parent; the current span by default. */
  parent?: string | undefined;
  attributes?: Record<string, string | number>;
}

/** The trace recorder. None exists unless the operator has configured a collector (src/start/tracing.ts). */
export interface Tracing {
  run<T>(span: SpanInput, work: () => Promise<T>): Promise<T>;
  /** For a span that ends in a callback: returns the function that ends it. */
  begin(span: SpanInput): (error?: unknown) => void;
  /** The `traceparent` of the current span. */
  current(): string | undefined;
}

let tracing: Tracing | undefined;

export function useTracing(recorder: Tracing): void {
  tracing = recorder;
}

export const isTracing = () => tracing !== undefined;

/** Runs the work in its own span. Without a collector it costs one check of a variable. */
export function traced<T>(span: () => SpanInput, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.run(span(), work) : work();
}

export function beginSpan(span: SpanInput): (error?: unknown) => void {
  return tracing ? tracing.begin(span) : () => {};
}

/** The parent for later work, in any process. */
export const traceParent = () => tracing?.current();
