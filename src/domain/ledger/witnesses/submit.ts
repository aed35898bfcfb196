import { sql } from '../../../db/sql.ts';
import type { Witness } from '../../../environment.ts';
import { clearFinding, reportFinding, witnessSource } from '../findings.ts';
import { acrossChains, type LedgerApp } from '../ledger-app.ts';
import { type Head, newestHead } from '../log/current-log.ts';
import { publishedClosings } from '../log/published.ts';
import { tryParse } from '../notes/signatures.ts';
import { askWitness, NotCosigned } from './ask.ts';

/** Backoff after a witness failed to answer. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface Attempts {
  failures: number;
  notBefore: number;
  underWay: Promise<void> | null;
}

const attempts = new WeakMap<LedgerApp, Map<string, Attempts>>();

/**
 * Submits the newest head to every witness that has not cosigned it and is not in backoff. Never throws: the service works
 * without witnesses, and they catch up with the next head, since one consistency proof covers any gap. Resolves when all have
 * answered or failed.
 */
export async function submitToWitnesses(app: LedgerApp): Promise<void> {
  const { witnesses } = app.config;
  if (witnesses.length === 0) return;
  const states = attempts.get(app) ?? new Map<string, Attempts>();
  attempts.set(app, states);
  const head = await newestHead(acrossChains(app)).catch(() => null);
  if (!head) return;
  await Promise.all(witnesses.map((witness) => submit(app, witness, head, states)));
}

async function submit(
  app: LedgerApp,
  witness: Witness,
  head: Head,
  states: Map<string, Attempts>,
): Promise<void> {
  const state = states.get(witness.vkey) ?? { failures: 0, notBefore: 0, underWay: null };
  states.set(witness.vkey, state);
  if (state.underWay) return state.underWay;
  if (Date.now() < state.notBefore) return;
  state.underWay = attempt(app, witness, head)
    .then((good) => {
      state.failures = good ? 0 : state.failures + 1;
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(state.failures, 10));
      state.notBefore = good ? 0 : Date.now() + pause;
    })
    .finally(() => {
      state.underWay = null;
    });
  return state.underWay;
}

/**
 * Asks every witness about the newest head, cosigned or not, because a database that lost its tail does not know what they
 * have seen. Findings are reported as for a submission. Never throws; resolves when all have answered or failed.
 */
export async function checkWitnesses(app: LedgerApp): Promise<void> {
  const head = await newestHead(acrossChains(app)).catch(() => null);
  if (head) await Promise.all(app.config.witnesses.map((witness) => attempt(app, witness, head, true)));
}

const KEEP_COSIGNATURE = sql('keep_cosignature')`
  WITH kept AS (
    INSERT INTO log_cosignature (log, size, key_id, name, line, signed_at)
    VALUES ($log, $size, $keyId, $name, $line, $signedAt) ON CONFLICT DO NOTHING)
  INSERT INTO witness_state AS w (vkey, log, size, error, attempted_at, cosigned_at)
  VALUES ($vkey, $log, $size, NULL, now(), now())
  ON CONFLICT (vkey) DO UPDATE SET log = excluded.log, error = NULL, attempted_at = now(), cosigned_at = now(),
    size = CASE WHEN w.log = excluded.log THEN greatest(w.size, excluded.size) ELSE excluded.size END`;

/** Returns whether the witness has now cosigned this head. */
async function attempt(app: LedgerApp, witness: Witness, head: Head, anew = false): Promise<boolean> {
  const { vkey, name, keyId } = witness;
  const labels = { witness: name };
  try {
    const known = await knownSize(app, witness, head.log);
    if (known.head >= head.size && !anew) return true;
    const { line, signedAt } = await askWitness(app, witness, head, anew ? 0 : known.size);
    const { log, size } = head;
    await KEEP_COSIGNATURE.run(acrossChains(app), { vkey, log, size, keyId, name, line, signedAt });
    await clearFinding(acrossChains(app), originOf(head), witnessSource(name));
    app.metrics.cosignatures.inc({ ...labels, result: 'cosigned' });
    app.metrics.witnessUp.set(labels, 1);
    return true;
  } catch (error) {
    app.metrics.cosignatures.inc({ ...labels, result: error instanceof NotCosigned ? 'refused' : 'failed' });
    app.metrics.witnessUp.set(labels, 0);
    await reportFailure(app, witness, head, error as Error).catch(() => {});
    return false;
  }
}

const KNOWN_WITNESS_SIZE = sql('known_witness_size', { size: 'float8', head: 'float8' })`
  SELECT coalesce((SELECT size FROM witness_state WHERE vkey = $vkey AND log = $log), 0)::float8 AS size,
  coalesce((SELECT max(size) FROM log_cosignature WHERE log = $log AND key_id = $keyId AND name = $name), -1)::float8 AS head`;

/** What this service knows about a witness: the size to start a proof from, and the newest head it has cosigned. */
async function knownSize(app: LedgerApp, { vkey, keyId, name }: Witness, log: number) {
  const [known] = await KNOWN_WITNESS_SIZE.rows(acrossChains(app), { vkey, keyId, name, log });
  return known!;
}

const KEEP_FAILURE = sql('keep_witness_failure', { before: 'text?' })`
  WITH before AS (SELECT error FROM witness_state WHERE vkey = $vkey)
  INSERT INTO witness_state AS w (vkey, log, size, error, attempted_at)
  VALUES ($vkey, $log, coalesce($size, 0), $reason, now())
  ON CONFLICT (vkey) DO UPDATE SET error = $reason, attempted_at = now(), log = $log,
    size = coalesce($size, CASE WHEN w.log = $log THEN w.size ELSE 0 END)
  RETURNING (SELECT error FROM before) AS before`;

async function reportFailure(
  app: LedgerApp,
  { vkey, name }: Witness,
  head: Head,
  error: Error,
): Promise<void> {
  const size = error instanceof NotCosigned ? error.size : null;
  const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  const rows = await KEEP_FAILURE.rows(acrossChains(app), { vkey, log: head.log, size, reason });
  await reportRefusal(app, name, head, error);
  // A continuing failure is logged once. A witness that contradicts the log is more serious than one that is unreachable.
  if (rows[0]?.before === reason) return;
  if (error instanceof NotCosigned && error.isContradiction)
    app.log.error({ witness: name, reason }, 'a witness reports that the log contradicts what it cosigned');
  else if (error instanceof NotCosigned) app.log.error({ witness: name, reason }, 'a witness did not cosign');
  else app.log.warn({ witness: name, reason }, 'a witness cannot be reached');
}

const originOf = (head: Head) => tryParse(head.note)?.origin ?? '';

/** A witness cosigns no later log before its operator has accepted the statement that closed the one before. */
async function waitsForAcceptance(app: LedgerApp, { message }: NotCosigned): Promise<boolean> {
  const closings = await publishedClosings(app);
  return closings.some(({ digest }) => message.includes(digest));
}

/**
 * A witness with a different view of the log stops signing in every process. If it has cosigned a larger log than the current
 * one, the database has lost entries. Heads may be submitted late, so its size is compared with the newest head.
 */
async function reportRefusal(app: LedgerApp, name: string, head: Head, error: Error): Promise<void> {
  if (!(error instanceof NotCosigned) || (await waitsForAcceptance(app, error))) return;
  const newest = await newestHead(acrossChains(app));
  if (newest?.log !== head.log) return;
  const isAhead = error.size !== null && error.size > newest.size;
  if (!isAhead && !error.isContradiction) return;
  const message = isAhead
    ? `the witness ${name} has cosigned ${error.size} entries of the head log, which has ${newest.size}`
    : `the witness ${name} refuses the head log: ${error.message}`;
  await reportFinding(app, {
    subject: originOf(head),
    source: witnessSource(name),
    kind: isAhead ? 'lost' : 'contradicted',
    signedSize: error.size,
    presentSize: newest.size,
    note: null,
    message,
  });
}

export interface WitnessReport {
  name: string;
  vkey: string;
  url: string;
  /** The size of the newest head it has cosigned; 0 for none. */
  size: number;
  cosignedAt: Date | null;
  error: string | null;
  /** Whether it has cosigned the newest head, ignoring heads of the last few seconds. */
  current: boolean;
}

const WITNESS_REPORTS = sql('witness_reports', {
  size: 'float8?',
  cosignedAt: 'timestamptz?',
  error: 'text?',
  head: 'float8?',
})`
  SELECT (SELECT max(size)::float8 FROM log_cosignature c
          WHERE c.log = current_log() AND c.key_id = w.key_id AND c.name = w.name) AS size,
    s.cosigned_at AS "cosignedAt", s.error, (SELECT max(size)::float8 FROM log_head
      WHERE log = current_log() AND created_at < now() - interval '5 seconds') AS head
  FROM unnest($vkeys::text[], $keyIds::text[], $names::text[]) WITH ORDINALITY AS w(vkey, key_id, name, place)
  LEFT JOIN witness_state s ON s.vkey = w.vkey ORDER BY w.place`;

/** The state of every configured witness, across processes. */
export async function witnessReports(app: LedgerApp): Promise<WitnessReport[]> {
  const { witnesses } = app.config;
  if (witnesses.length === 0) return [];
  const rows = await WITNESS_REPORTS.rows(acrossChains(app), {
    vkeys: witnesses.map(({ vkey }) => vkey),
    keyIds: witnesses.map(({ keyId }) => keyId),
    names: witnesses.map(({ name }) => name),
  });
  return witnesses.map(({ name, vkey, url }, i) => {
    const { size, cosignedAt, error, head } = rows[i]!;
    const current = error === null && (size ?? -1) >= (head ?? -1);
    return { name, vkey, url, size: size ?? 0, cosignedAt, error, current };
  });
}
