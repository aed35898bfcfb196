import pg from 'pg';
import { onTestFinished } from 'vitest';
import { eventually } from '../helpers/eventually.ts';

/**
 * Stops a worker at an exact point of a run: a trigger in the test's database waits for a lock held by the test, inside the
 * transaction that records the start or end of a step.
 */
export interface Gates {
  /** Waits until a worker is at the gate, and returns the name of its connection. */
  arrival(gate: string): Promise<string>;
  open(gate: string): Promise<void>;
  close(): Promise<void>;
}

const TRIGGERS = `
  CREATE FUNCTION stand_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(4711, hashtext(CASE TG_TABLE_NAME
      WHEN 'workflow_step_run' THEN (to_jsonb(NEW) ->> 'execution_id') || ' ' || (to_jsonb(NEW) ->> 'position')
      ELSE (to_jsonb(NEW) ->> 'id') || ' run' END || ' ' || NEW.status));
    RETURN NEW;
  END $$;
  CREATE TRIGGER gate BEFORE INSERT OR UPDATE OF status ON workflow_step_run
    FOR EACH ROW EXECUTE FUNCTION stand_at_gate();
  CREATE TRIGGER gate BEFORE UPDATE OF status ON workflow_execution
    FOR EACH ROW EXECUTE FUNCTION stand_at_gate();`;

/**
 * Closes all of these gates, each named by its execution and a point of it: '2 RUNNING' (step 2 begins), '2 COMPLETED' (it
 * ends), 'run COMPLETED'.
 */
export async function shutGates(url: string, gates: string[]): Promise<Gates> {
  const client = new pg.Client(url);
  await client.connect();
  const close = () => client.end().catch(() => {});
  onTestFinished(close);
  await client.query(TRIGGERS);
  for (const gate of gates) await client.query('SELECT pg_advisory_lock(4711, hashtext($1))', [gate]);
  return {
    close,
    async arrival(gate) {
      let name = '';
      await eventually(async () => {
        const { rows } = await client.query(
          `SELECT a.application_name AS name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
           WHERE l.locktype = 'advisory' AND l.classid = 4711 AND NOT l.granted
             AND l.objid = hashtext($1)::bit(32)::bigint::oid`,
          [gate],
        );
        name = rows[0]?.name ?? '';
        return name !== '';
      }, 120_000);
      return name;
    },
    async open(gate) {
      await client.query('SELECT pg_advisory_unlock(4711, hashtext($1))', [gate]);
    },
  };
}
