import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api';
import { type SpanInput, type Tracing, useTracing } from '../lib/tracing.ts';

type Api = typeof import('@opentelemetry/api');

/** The standard variables, any of which enables traces. */
const ASKING = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];

function isWanted(env: NodeJS.ProcessEnv): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none')
    return false;
  return ASKING.some((name) => env[name]);
}

/**
 * Sends traces over OTLP if the standard variables are set; only then is OpenTelemetry loaded. Returns a function that flushes
 * the rest and stops.
 */
export async function startTracing(env: NodeJS.ProcessEnv): Promise<(() => Promise<void>) | null> {
  if (!isWanted(env)) return null;
  // Metrics and logs are exported separately.
  env['OTEL_METRICS_EXPORTER'] ??= 'none';
  env['OTEL_LOGS_EXPORTER'] ??= 'none';
  const [{ NodeSDK }, api] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('@opentelemetry/api'),
  ]);
  const sdk = new NodeSDK({ serviceName: env['OTEL_SERVICE_NAME'] ?? 'countersign' });
  sdk.start();
  useTracing(makeTracing(api));
  return () => sdk.shutdown();
}

function makeTracing({ context, propagation, SpanKind, SpanStatusCode, trace }: Api): Tracing {
  const tracer = trace.getTracer('countersign');
  const kinds = {
    server: SpanKind.SERVER,
    internal: SpanKind.INTERNAL,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
  };
  const contextOf = ({ parent }: SpanInput): Context =>
    parent === undefined ? context.active() : propagation.extract(context.active(), { traceparent: parent });
  const start = (input: SpanInput, within: Context): Span => {
    const options: SpanOptions = {
      kind: kinds[input.kind],
      attributes: (input.attributes ?? {}) as Attributes,
    };
    return tracer.startSpan(input.name, options, within);
  };
  const end = (span: Span, error?: unknown) => {
    if (error) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  return {
    async run(input, work) {
      const within = contextOf(input);
      const span = start(input, within);
      try {
        const result = await context.with(trace.setSpan(within, span), work);
        end(span);
        return result;
      } catch (error) {
        end(span, error);
        throw error;
      }
    },
    begin(input) {
      const within = contextOf(input);
      // Work outside a call or job, such as polling for jobs, would create a new trace each time.
      if (!trace.getSpan(within)) return () => {};
      const span = start(input, within);
      return (error) => end(span, error);
    },
    current() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
  };
}
