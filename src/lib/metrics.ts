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
    databaseUp: new Gauge({
      name: 'countersign_database_up',
      help: 'Whether the database answers and can be written to.',
      registers,
    }),
    replicaState: new Gauge({
      name: 'countersign_replica_state',
      help: 'Whether the replica is in each state; it is read from while it is ok. Only with DATABASE_REPLICA_URL.',
      labelNames: ['state'],
      registers,
    }),
    replicaLag: new Gauge({
      name: 'countersign_replica_lag_seconds',
      help: 'How far the replica is behind the primary.',
      registers,
    }),
    replicaStatements: new Counter({
      name: 'countersign_replica_statements_total',
      help: 'Statements of calls that read from the replica, by the server that answered them.',
      labelNames: ['server'],
      registers,
    }),
    workerAlive: new Gauge({
      name: 'countersign_worker_alive',
      help: 'Whether the workers of this process can claim jobs; only for processes with workers.',
      registers,
    }),
    taskJobs: new Gauge({
      name: 'countersign_queue_task_jobs',
      help: 'Jobs of each task: running, ready to run, waiting for their time, or failed for good.',
      labelNames: ['task', 'state'],
      registers,
    }),
    oldestJob: new Gauge({
      name: 'countersign_queue_oldest_seconds',
      help: 'How long the oldest job of each task that could run has been waiting.',
      labelNames: ['task'],
      registers,
    }),
    chainRecords: new Gauge({
      name: 'countersign_chain_records',
      help: 'Records on the chains of all centers and of the platform, by domain.',
      labelNames: ['domain'],
      registers,
    }),
    headAge: new Gauge({
      name: 'countersign_log_head_age_seconds',
      help: 'Age of the newest signed head of the log.',
      registers,
    }),
    requests: new Counter({
      name: 'countersign_http_requests_total',
      help: 'Requests answered, by route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    latency: new Histogram({
      name: 'countersign_http_request_seconds',
      help: 'Time from the request to the end of the response, by route.',
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
      help: 'Checkpoints of chains: created, or refused because the history differs from what was signed before.',
      labelNames: ['result'],
      registers,
    }),
    historyLost: new Gauge({
      name: 'countersign_history_lost',
      help: 'Chains and logs whose signed history is missing from the database. Above 0, nothing is sealed or signed.',
      registers,
    }),
    cosignatures: new Counter({
      name: 'countersign_cosignatures_total',
      help: 'Log heads submitted to witnesses: cosigned, refused, or failed.',
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
      help: 'Records appended in one transaction.',
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
  };
}
