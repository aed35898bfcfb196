import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof makeMetrics>;

interface PoolFigures {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/**
 * Node's process metrics, collected once per process: the observers of garbage collection and event loop cannot be removed
 * again and would keep a whole App in memory.
 */
let ofProcess: Registry | undefined;

function processFigures() {
  if (!ofProcess) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  const registry = ofProcess;
  return registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetric(name)!);
}

/** Metrics for operators. One registry per App. */
export function makeMetrics() {
  const registry = new Registry();
  /** The connection pools of this process by name, read on each scrape. */
  const pools = new Map<string, PoolFigures>();
  for (const figure of processFigures()) registry.registerMetric(figure);
  const registers = [registry];
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  return {
    registry,
    pools,
    connections: new Gauge({
      name: 'countersign_database_connections',
      help: 'Connections of each pool that are busy or idle, and callers that wait for one.',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
          this.set({ pool, state: 'busy' }, totalCount - idleCount);
          this.set({ pool, state: 'idle' }, idleCount);
          this.set({ pool, state: 'waiting' }, waitingCount);
        }
      },
    }),
    databaseUp: gauge('countersign_database_up', 'Whether the database answers and can be written to.'),
    replicaState: gauge(
      'countersign_replica_state',
      'Whether the replica is in each state; it is read from while it is ok. Only with DATABASE_REPLICA_URL.',
      'state',
    ),
    replicaLag: gauge('countersign_replica_lag_seconds', 'How far the replica is behind the primary.'),
    replicaStatements: counter(
      'countersign_replica_statements_total',
      'Statements of calls that read from the replica, by the server that answered them.',
      'server',
    ),
    workerAlive: gauge(
      'countersign_worker_alive',
      'Whether the workers of this process can claim jobs; only for processes with workers.',
    ),
    taskJobs: gauge(
      'countersign_queue_task_jobs',
      'Jobs of each task: running, ready to run, waiting for their time, or failed for good.',
      'task',
      'state',
    ),
    oldestJob: gauge(
      'countersign_queue_oldest_seconds',
      'How long the oldest job of each task that could run has been waiting.',
      'task',
    ),
    chainRecords: gauge(
      'countersign_chain_records',
      'Records on the chains of all centers and of the platform, by domain.',
      'domain',
    ),
    headAge: gauge('countersign_log_head_age_seconds', 'Age of the newest signed head of the log.'),
    requests: counter(
      'countersign_http_requests_total',
      'Requests answered, by route and status.',
      'method',
      'route',
      'status',
    ),
    latency: new Histogram({
      name: 'countersign_http_request_seconds',
      help: 'Time from the request to the end of the response, by route.',
      labelNames: ['method', 'route'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    contentHeld: gauge(
      'countersign_content_bytes',
      'Content that requests and jobs of this process hold. The limit is CONTENT_IN_FLIGHT_MB.',
    ),
    contentWaiting: gauge('countersign_content_waiting', 'Reads that wait until others release content.'),
    contentRefused: counter(
      'countersign_content_refusals_total',
      'Requests that read too much content, and requests that found no room and waited or failed.',
      'reason',
    ),
    queueDepth: gauge(
      'countersign_queue_jobs',
      'Jobs in the queue: ready to run, waiting for their time, or failed for good.',
      'state',
    ),
    deliveries: counter(
      'countersign_webhook_attempts_total',
      'Webhook delivery attempts, by result.',
      'result',
    ),
    seals: counter(
      'countersign_ledger_records_total',
      'Records appended to hash chains, by domain.',
      'domain',
    ),
    checkpoints: counter(
      'countersign_checkpoints_total',
      'Checkpoints of chains: created, or refused because the history differs from what was signed before.',
      'result',
    ),
    historyLost: gauge(
      'countersign_history_lost',
      'Chains and logs whose signed history is missing from the database. Above 0, nothing is sealed or signed.',
    ),
    cosignatures: counter(
      'countersign_cosignatures_total',
      'Log heads submitted to witnesses: cosigned, refused, or failed.',
      'witness',
      'result',
    ),
    witnessUp: gauge(
      'countersign_witness_up',
      'Whether the last attempt with a witness succeeded.',
      'witness',
    ),
    sealBatch: new Histogram({
      name: 'countersign_ledger_batch_size',
      help: 'Records appended in one transaction.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  };
}
