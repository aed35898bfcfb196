import { parseVerifierKey, verifyProof } from '@countersign/proof-kit';
import type { TestApp } from '../helpers/app.ts';
import type { Parsed } from '../helpers/client.ts';

/** An ADMIN's token and an API key of a center. */
export interface Caller {
  token: string;
  key: string;
}

const VERIFY = `{ verifyChain { valid brokenAt chainLength differences { table id member }
  chains { domain valid chainLength genesisHash headHash } } }`;

const VIEW = `query ($id: ID!) { decisionEvent(id: $id) {
  decisionId type status dpuId contentHash argumentsDigest riskScore tags occurredAt expiresAt claimedAt createdAt
  actor { id type name } action { type description input output }
  aiContext { model provider confidence reasoning } erased { path at reason }
  approvals { id result reason contentHash createdAt approver { id type name } by onBehalfOf seating }
  outcome { status output recordedAt journalIndex } outlook { verdict }
  seats { index group count authentication open } journal { index kind hash }
  evidence { id status chainHash chainIndex } } }`;

const LIST = `query ($filter: DecisionEventFilter) {
  decisionEvents(first: 100, filter: $filter) { totalCount edges { node { id actor { id type name } } } } }`;

/** Filters of lists, and searches in the action, the description, the actor, a tag and an id. */
const FILTERS = [
  {},
  ...['agent_execution', 'workflow_step', 'human_approval', 'policy_decision', 'custom'].map((type) => ({
    type,
  })),
  ...['recorded', 'approved', 'sealed', 'rejected'].map((status) => ({ status })),
  ...['refund', 'vip', 'größe 🎉', 'order', 'gone'].map((tag) => ({ tag })),
  ...['refund.gr', 'Refund an order', 'ÄRZTIN', 'vip', 'evt_', 'key-of-the-caller', 'gone'].map((search) => ({
    search,
  })),
];

async function ask(running: TestApp, { token }: Caller, document: string, variables = {}): Promise<Parsed> {
  const { data, errors } = await running.graphql(document, variables, token);
  if (errors) throw new Error(JSON.stringify(errors));
  return Object.values(data)[0];
}

/** What callers see of a center's decisions, and the state of its chains. */
export async function decisionSnapshot(running: TestApp, caller: Caller) {
  const verification = await verifyCenter(running, caller);
  const lists: Record<string, Parsed> = {};
  for (const filter of FILTERS) {
    lists[JSON.stringify(filter)] = await ask(running, caller, LIST, { filter });
  }
  const page = await running.call('GET', '/v1/decision-events?limit=100', { token: caller.key });
  const decisions: Record<string, DecisionView> = {};
  for (const { node } of lists['{}'].edges) {
    decisions[node.id] = await viewDecision(running, caller, node.id);
  }
  return { verification, lists, page: page.body.data, decisions };
}

export type DecisionSnapshot = Awaited<ReturnType<typeof decisionSnapshot>>;

export const verifyCenter = (running: TestApp, caller: Caller) => ask(running, caller, VERIFY);

interface DecisionView {
  rest: Parsed;
  view: Parsed;
  /** Of a sealed decision: its proof and the result of verifying it. */
  proof?: Parsed;
  verdict?: string;
}

export async function viewDecision(running: TestApp, caller: Caller, id: string): Promise<DecisionView> {
  const path = `/v1/decision-events/${id}`;
  const view = await ask(running, caller, VIEW, { id });
  return {
    rest: (await running.call('GET', path, { token: caller.key })).body.data,
    view,
    ...(view.status === 'sealed' && (await exportProof(running, path, caller.key))),
  };
}

/** Members of a proof that differ from one export to the next: the time, and signed heads of growing chains. */
const NEW_EACH_TIME = new Set(['exportedAt', 'head', 'inclusion']);

async function exportProof(running: TestApp, path: string, key: string) {
  const { text } = await running.call('GET', `${path}/export`, { token: key });
  const { keys } = (await (await running.fetch('/.well-known/countersign-keys.json')).json()) as {
    keys: { vkey: string }[];
  };
  const { verdict, reason } = await verifyProof(text, {
    keys: keys.map(({ vkey }) => parseVerifierKey(vkey)),
  });
  return {
    proof: JSON.parse(text, (name, value) => (NEW_EACH_TIME.has(name) ? undefined : value)),
    verdict: `${verdict}: ${reason}`,
  };
}
