import type { Log } from '../../../lib/log.ts';
import {
  type ConditionScope,
  ExpressionError,
  type ExpressionScope,
  expressionProblem,
} from '../expression.ts';
import { SandboxEnded, type SandboxProcess, startSandboxProcess } from './child.ts';
import { isLiteral, type Pieces, type Values } from './pieces.ts';

/**
 * Evaluates tenants' expressions off the event loop, in separate processes, with limits on CPU time and memory. Each center
 * runs one task at a time and centers take turns, so an endless expression delays only its own center.
 */
export interface Sandbox {
  /** Rejects with ExpressionError if the author is at fault. Any other failure may be temporary. */
  render<Name extends string>(
    centerId: number,
    pieces: Pieces<Name>,
    scope: () => Promise<ExpressionScope | ConditionScope>,
  ): Promise<Values<Name>>;
  /** Why the condition of a mandate is invalid, before it runs; null if it is valid. */
  conditionProblem(source: string): string | null;
  /** What the condition of a mandate gives for a call. */
  tryCondition(centerId: number, source: string, scope: ConditionScope): Promise<ConditionResult>;
  close(): Promise<void>;
}

/** Exactly one of the two is null: a condition that gives neither true nor false has failed. */
export interface ConditionResult {
  holds: boolean | null;
  /** Why it failed, for its author. */
  error: string | null;
}

const MAX_PROCESSES = 4;
/** A process that has been idle for this long is ended. */
const IDLE_MS = 30_000;
/** A process may be killed by mistake, so its task is retried. */
const MAX_ATTEMPTS = 3;

interface Task {
  centerId: number;
  request: string;
  resolve(values: Values): void;
  reject(error: unknown): void;
}

interface IdleProcess {
  sandbox: SandboxProcess;
  givenUp: NodeJS.Timeout;
}

export function makeSandbox(log: Log): Sandbox {
  /** The tasks of each center. Centers are in the order of their turns. */
  const waiting = new Map<number, Task[]>();
  const served = new Set<number>();
  const idle: IdleProcess[] = [];
  const all = new Set<SandboxProcess>();
  let closed = false;

  function nextTask(): Task | undefined {
    for (const [centerId, tasks] of waiting) {
      if (served.has(centerId)) continue;
      const task = tasks.shift()!;
      waiting.delete(centerId);
      if (tasks.length > 0) waiting.set(centerId, tasks);
      return task;
    }
    return undefined;
  }

  function startNext(): void {
    while (served.size < MAX_PROCESSES) {
      const task = nextTask();
      if (!task) return;
      served.add(task.centerId);
      void serve(task).finally(() => {
        served.delete(task.centerId);
        startNext();
      });
    }
  }

  async function take(): Promise<SandboxProcess> {
    for (let known = idle.pop(); known; known = idle.pop()) {
      clearTimeout(known.givenUp);
      if (known.sandbox.alive()) return known.sandbox;
      all.delete(known.sandbox);
    }
    const started = await startSandboxProcess();
    all.add(started);
    return started;
  }

  function giveBack(sandbox: SandboxProcess): void {
    const givenUp = setTimeout(() => {
      idle.splice(
        idle.findIndex((each) => each.sandbox === sandbox),
        1,
      );
      all.delete(sandbox);
      void sandbox.stop();
    }, IDLE_MS);
    givenUp.unref();
    idle.push({ sandbox, givenUp });
  }

  async function serve({ centerId, request, resolve, reject }: Task): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      let sandbox: SandboxProcess | undefined;
      try {
        if (closed) throw new SandboxEnded('the service is stopping');
        sandbox = await take();
        const answer = await sandbox.ask(request);
        if (answer.kind === 'spent') {
          all.delete(sandbox);
          log.warn({ centerId, reason: answer.error }, 'ended a sandbox that exceeded its limits');
        } else giveBack(sandbox);
        if (answer.kind === 'values') resolve(JSON.parse(answer.values) as Values);
        else reject(new ExpressionError(answer.error));
        return;
      } catch (error) {
        if (sandbox) all.delete(sandbox);
        if (closed || attempt === MAX_ATTEMPTS || !(error instanceof SandboxEnded)) return reject(error);
        log.warn({ reason: error.message }, 'starting a new sandbox');
      }
    }
  }

  const sandbox: Sandbox = {
    async render<Name extends string>(
      centerId: number,
      pieces: Pieces<Name>,
      scope: () => Promise<ExpressionScope | ConditionScope>,
    ): Promise<Values<Name>> {
      const entries = Object.entries<Pieces[string]>(pieces);
      if (entries.every(([, piece]) => isLiteral(piece))) {
        return Object.fromEntries(entries.map(([name, { source }]) => [name, source])) as Values<Name>;
      }
      const request = JSON.stringify({ pieces, scope: await scope() });
      const values = await new Promise<Values>((resolve, reject) => {
        const tasks = waiting.get(centerId) ?? [];
        tasks.push({ centerId, request, resolve, reject });
        waiting.set(centerId, tasks);
        startNext();
      });
      return values as Values<Name>;
    },
    conditionProblem: (source) => expressionProblem(source, 'mandate'),
    async tryCondition(centerId, source, scope) {
      const failed = (error: string) => ({ holds: null, error });
      try {
        const pieces = { holds: { kind: 'condition', source } } as const;
        const { holds } = await sandbox.render(centerId, pieces, async () => scope);
        return typeof holds === 'boolean' ? { holds, error: null } : failed('must give true or false');
      } catch (error) {
        if (error instanceof ExpressionError) return failed(error.message.replace(`${source}: `, ''));
        log.warn({ err: error }, 'a condition could not be evaluated');
        return failed('could not be evaluated at the moment');
      }
    },
    async close() {
      closed = true;
      for (const { givenUp } of idle.splice(0)) clearTimeout(givenUp);
      await Promise.all([...all].map((sandbox) => sandbox.stop()));
    },
  };
  return sandbox;
}
