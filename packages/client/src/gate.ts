import type { Countersign } from './countersign.ts';
import { argumentsDigest } from './digest.ts';
import { CountersignError } from './error.ts';
import { wait } from './http.ts';
import type { DecideAsAgent, DecisionEvent } from './types.ts';

export interface GateOptions<Input> {
  client: Countersign;
  agent: DecideAsAgent['agent'];
  /** The kind of action, as policies match it. */
  actionType: string;
  /** One sentence for the person who has to approve. */
  describe?: (input: Input) => string;
  /** How risky this call is, from 0 to 1; without it the policy decides what that means. */
  risk?: (input: Input) => number;
  aiContext?: DecideAsAgent['aiContext'];
  tags?: string[];
  /** How long a person may take; then the call is denied. */
  expiresInSeconds?: number;
  /** Waits between looks at a decision that waits for a person, in milliseconds. */
  pollInterval?: number;
}

export interface GateCall {
  /** The same for every try at one logical call: it is decided once, and not run again once it was reported. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** The decision went against the call, nobody decided in time, or it was carried out before. The tool was not run. */
export class CallDenied extends Error {
  readonly eventId: string;

  constructor(eventId: string, message: string) {
    super(message);
    this.name = 'CallDenied';
    this.eventId = eventId;
  }
}

const POLL_INTERVAL = 2_000;

/**
 * Wraps a tool so that it asks before it acts: the call is decided with its exact arguments, waits where the policy asks
 * for a person, runs once, and reports what came of it.
 */
export function gate<Input extends Record<string, unknown>, Output>(
  options: GateOptions<Input>,
  tool: (input: Input) => Promise<Output> | Output,
): (input: Input, call?: GateCall) => Promise<Output> {
  const { client } = options;
  return async (input, call = {}) => {
    // A copy, so that nobody changes the arguments between the decision and the act.
    const decided = structuredClone(input);
    const digest = await argumentsDigest(decided);
    const decision = await client.agents.decide(request(options, decided), {
      ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
      ...(call.signal && { signal: call.signal }),
    });
    if (decision.argumentsDigest !== digest) {
      throw new CallDenied(decision.eventId, 'The service decided on other arguments than these.');
    }
    if (decision.outcome === 'awaiting_approval' || decision.dpu.status !== 'sealed') {
      await approved(options, decision.eventId, call.signal);
    }
    // Only a call that can come again can have been carried out before.
    if (call.idempotencyKey !== undefined) await requireNew(client, decision.eventId);
    return act(client, decision.eventId, digest, () => tool(decided));
  };
}

function request<Input extends Record<string, unknown>>(
  options: GateOptions<Input>,
  input: Input,
): DecideAsAgent {
  const { agent, actionType, aiContext, tags, expiresInSeconds } = options;
  return {
    agent,
    action: { type: actionType, input, ...(options.describe && { description: options.describe(input) }) },
    ...(aiContext && { aiContext }),
    ...(options.risk && { riskScore: options.risk(input) }),
    ...(tags && { tags }),
    ...(expiresInSeconds !== undefined && { expiresInSeconds }),
  } as DecideAsAgent;
}

/** Waits until the decision is sealed; throws when it is rejected. */
async function approved<Input>(
  { client, pollInterval = POLL_INTERVAL }: GateOptions<Input>,
  eventId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const event: DecisionEvent = await client.decisions.get(eventId, signal ? { signal } : {});
    if (event.status === 'sealed') return;
    if (event.status === 'rejected') throw new CallDenied(eventId, 'The call was rejected or expired.');
    await wait(pollInterval, signal);
  }
}

/** An earlier try may have acted and reported: then this one must not act again. */
async function requireNew(client: Countersign, eventId: string): Promise<void> {
  const { evidence } = await client.decisions.get(eventId);
  const { outcome } = await client.evidence.export(evidence.id);
  if (outcome) {
    throw new CallDenied(eventId, `This call was carried out before: it was reported as ${outcome.status}.`);
  }
}

async function act<Output>(
  client: Countersign,
  eventId: string,
  digest: string,
  run: () => Promise<Output> | Output,
): Promise<Output> {
  let output: Output;
  try {
    output = await run();
  } catch (error) {
    await report(client, eventId, digest, 'failed', { error: (error as Error).message });
    throw error;
  }
  await report(client, eventId, digest, 'executed', output);
  return output;
}

async function report(
  client: Countersign,
  eventId: string,
  digest: string,
  status: 'executed' | 'failed',
  output: unknown,
): Promise<void> {
  const isObject = typeof output === 'object' && output !== null && !Array.isArray(output);
  const shown = isObject ? (output as Record<string, unknown>) : { result: output ?? null };
  try {
    await client.decisions.reportOutcome(eventId, { status, argumentsDigest: digest, output: shown });
  } catch (error) {
    // Reported before, by an earlier try at the same call: the act itself is what matters.
    if (!(error instanceof CountersignError && error.code === 'CONFLICT')) throw error;
  }
}
