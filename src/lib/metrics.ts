import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof makeMetrics>;

/** The figures that operators watch. One registry a process; tests make their own. */
export function makeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'countersign_http_requests_total',
      help: 'Requests answered, by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    latency: new Histogram({
      name: 'countersign_http_request_seconds',
      help: 'Time from the request to the end of its answer, by route.',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'countersign_queue_jobs',
      help: 'Jobs in the queue: ready to run, waiting for their time, or failed for good.',
      labelNames: ['state'],
      registers,
    }),
    deliveries: new Counter({
      name: 'countersign_webhook_attempts_total',
      help: 'Webhook delivery attempts, by result.',
      labelNames: ['result'],
      registers,
    }),
    seals: new Counter({
      name: 'countersign_ledger_records_total',
      help: 'Records appended to hash chains, by domain.',
      labelNames: ['domain'],
      registers,
    }),
    checkpoints: new Counter({
      name: 'countersign_checkpoints_total',
      help: 'Checkpoints of chains: made, or refused because the history no longer is what was signed before.',
      labelNames: ['result'],
      registers,
    }),
    cosignatures: new Counter({
      name: 'countersign_cosignatures_total',
      help: 'Heads brought to witnesses: cosigned, refused by the witness, or failed on the way.',
      labelNames: ['witness', 'result'],
      registers,
    }),
    witnessUp: new Gauge({
      name: 'countersign_witness_up',
      help: 'Whether the last attempt with a witness succeeded.',
      labelNames: ['witness'],
      registers,
    }),
    sealBatch: new Histogram({
      name: 'countersign_ledger_batch_size',
      help: 'Appends that shared one transaction.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  };
}
