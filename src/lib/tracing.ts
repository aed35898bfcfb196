/** A piece of work as a trace shows it. */
export interface SpanInput {
  name: string;
  kind: 'server' | 'internal' | 'client' | 'consumer';
  /** W3C `traceparent` of what it is a part of; without one, of what is under way here. */
  parent?: string | undefined;
  attributes?: Record<string, string | number>;
}

/** The recorder of traces. There is none unless the operator has named a collector (src/start/tracing.ts). */
export interface Tracing {
  run<T>(span: SpanInput, work: () => Promise<T>): Promise<T>;
  /** For a part of something larger that ends in a callback: gives the way to end the span. */
  begin(span: SpanInput): (error?: unknown) => void;
  /** The `traceparent` of what is under way. */
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

/** What later work, in whatever process, names as its parent. */
export const traceParent = () => tracing?.current();
