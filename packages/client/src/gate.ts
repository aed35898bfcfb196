import type { Countersign } from './countersign.ts';
import { argumentsDigest } from './digest.ts';
import { CountersignError } from './error.ts';
import { wait } from './http.ts';
import type { AgentDecision, DecideAsAgent, DecisionEvent } from './types.ts';

export interface GateOptions<Input> {
  client: Countersign;
  agent: DecideAsAgent['agent'];
  /** The type of action, as matched by policies. */
  actionType: string;
  /** One sentence for the approver. */
  describe?: (input: Input) => string;
  /** The risk of this call, from 0 to 1; if omitted, the policy decides how to treat it. */
  risk?: (input: Input) => number;
  aiContext?: DecideAsAgent['aiContext'];
  tags?: string[];
  /** How long a person may take; after that the call is denied. */
  expiresInSeconds?: number;
  /** Poll intervals for a pending decision, in milliseconds. */
  pollInterval?: number;
  /**
   * Called with every decision before the tool runs: `decision.mandate` names the mandate that covered the call and what is
   * left, or one that did not cover it and why (`notUsed`).
   */
  onDecision?: (decision: AgentDecision) => void;
}

export interface GateCall {
  /** The same for every attempt at one logical call: it is decided once and run at most once. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/**
 * Why a call was not run:
 * - `arguments`: the decision under this idempotency key is about other arguments
 * - `rejected`: the decision was rejected, withdrawn or expired
 * - `reported`: an earlier attempt ran it and reported the outcome
 * - `claimed`: another attempt claimed it and has not reported: it is running, or it crashed and may have acted
 */
export type DenialReason = 'arguments' | 'rejected' | 'reported' | 'claimed';

/** This call did not run the tool. */
export class CallDenied extends Error {
  readonly eventId: string;
  readonly reason: DenialReason;

  constructor(eventId: string, reason: DenialReason, message: string) {
    super(message);
    this.name = 'CallDenied';
    this.eventId = eventId;
    this.reason = reason;
  }
}

const POLL_INTERVAL = 2_000;

/**
 * Wraps a tool so that it asks for approval before it acts. The call is decided with its exact arguments, waits for human
 * approval if the policy requires it, claims the decision, runs once and reports the outcome. The claim ensures that of
 * several attempts with one idempotency key at most one runs the tool, even across processes and after a crash.
 */
export function gate<Input extends Record<string, unknown>, Output>(
  options: GateOptions<Input>,
  tool: (input: Input) => Promise<Output> | Output,
): (input: Input, call?: GateCall) => Promise<Output> {
  const { client } = options;
  return async (input, call = {}) => {
    // A copy, so that the arguments cannot change between decision and execution.
    const decided = structuredClone(input);
    const digest = await argumentsDigest(decided);
    const decide = () =>
      client.agents.decide(request(options, decided), {
        ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey }),
        ...(call.signal && { signal: call.signal }),
      });
    const decision = await decide();
    if (decision.argumentsDigest !== digest) {
      throw new CallDenied(
        decision.eventId,
        'arguments',
        'The service decided on other arguments than these.',
      );
    }
    requireUnclaimed(decision);
    options.onDecision?.(decision);
    if (decision.outcome === 'awaiting_approval' || decision.dpu.status !== 'sealed') {
      await approved(options, decision.eventId, call.signal);
    }
    // Without a key every call is a new decision, so a retry would record another one.
    await claim(client, decision, call.idempotencyKey === undefined ? null : decide);
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

/** Waits until the decision is sealed; throws if it is rejected. */
async function approved<Input>(
  { client, pollInterval = POLL_INTERVAL }: GateOptions<Input>,
  eventId: string,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const event: DecisionEvent = await client.decisions.get(eventId, signal ? { signal } : {});
    if (event.status === 'sealed') return;
    if (event.status === 'rejected')
      throw new CallDenied(eventId, 'rejected', 'The call was rejected or expired.');
    await wait(pollInterval, signal);
  }
}

/** The service lets only one attempt claim a decision. */
async function claim(
  client: Countersign,
  decision: AgentDecision,
  decideAgain: (() => Promise<AgentDecision>) | null,
): Promise<void> {
  try {
    await client.decisions.claim(decision.eventId);
  } catch (error) {
    if (!(error instanceof CountersignError && error.code === 'CONFLICT')) throw error;
    if (decideAgain) requireUnclaimed(await decideAgain());
    throw claimedElsewhere(decision.eventId);
  }
}

/** An earlier attempt may have acted, so this one must not act again. */
function requireUnclaimed({ eventId, reported, claimedAt }: AgentDecision): void {
  if (reported) {
    const message = `This call was carried out before: it was reported as ${reported.status}.`;
    throw new CallDenied(eventId, 'reported', message);
  }
  if (claimedAt !== undefined) throw claimedElsewhere(eventId);
}

const claimedElsewhere = (eventId: string) =>
  new CallDenied(
    eventId,
    'claimed',
    'Another attempt claimed this call and has not reported its outcome: it is running, or it stopped and may have acted. ' +
      'Find out what happened and report it with decisions.reportOutcome.',
  );

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
    // An administrator may have reported this attempt already; the execution itself is what matters.
    if (!(error instanceof CountersignError && error.code === 'CONFLICT')) throw error;
  }
}
