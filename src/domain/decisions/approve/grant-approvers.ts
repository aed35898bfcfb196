// Whether the present members can approve a request for a mandate: by the rules for approvals, without its requester.
import { normalId } from '@countersign/proof-kit/approver-id';
import { type EffectivePolicy, effectivePolicy, type Policy } from '@countersign/proof-kit/effective-policy';
import { isMandateGrant } from '@countersign/proof-kit/guards';
import { type ApprovalFacts, countSeats, type Quorum, type SeatState } from '@countersign/proof-kit/quorum';
import { inWords } from '@countersign/proof-kit/seat-sentences';
import { type Context, currentCenterId, ownRows } from '../../context.ts';
import {
  type ApprovingMember,
  groupsOfQuorums,
  membersWhoDecide,
  passkeyOwners,
} from '../../memberships/approval-rights.ts';
import { type Candidate, entitlementsTo } from '../../policies/entitlements.ts';
import { policiesInForce } from '../../policies/in-force.ts';
import { MANDATE_GRANT } from '../../policies/mandate-grant.ts';
import { mostFilled, tally } from '../../policies/seat-matching.ts';
import { authorOf } from '../../principal.ts';
import { factsOfRow } from '../read/approvals.ts';
import { findDecisionEvents } from '../read/list-events.ts';
import { ruledDecisions } from './seats.ts';

/** A request for a mandate, as far as its approval depends on it. */
interface GrantRequest {
  requesterId: string | undefined;
  isByPerson: boolean;
  occurredAt: string;
  approvals: readonly ApprovalFacts[];
}

interface Member extends ApprovingMember {
  canSign: boolean;
}

/** Why the present members cannot approve a request that the caller would make now; null if they can. */
export async function newGrantProblem(ctx: Context): Promise<string | null> {
  const { principal } = ctx;
  const isByPerson = principal.kind === 'actor';
  const request: GrantRequest = {
    requesterId: isByPerson ? principal.actorId : authorOf(principal).id,
    isByPerson,
    occurredAt: ctx.now.toISOString(),
    approvals: [],
  };
  const policies = await policiesInForce(ctx.reads, currentCenterId(ctx));
  const [problem] = await problemsOf(ctx, policies, [request]);
  return problem ?? null;
}

/** The same for requests that wait, by event id. Other decisions are missing. */
export async function grantProblemsById(
  ctx: Context,
  eventIds: readonly string[],
): Promise<Map<string, string>> {
  const events = await findDecisionEvents(ctx, eventIds);
  const waiting = events.filter(
    ({ status, head }) =>
      (status === 'recorded' || status === 'approved') && isMandateGrant(head.type, head.action.type),
  );
  const decisions = await ruledDecisions(ctx, waiting);
  if (decisions.length === 0) return new Map();
  const requests = decisions.map(({ event, rows }): GrantRequest => {
    const { id, type } = event.actor;
    return {
      requesterId: id,
      isByPerson: type === 'human',
      occurredAt: event.occurredAt,
      approvals: rows.map(factsOfRow),
    };
  });
  const problems = await problemsOf(ctx, decisions[0]!.center.policies, requests);
  return new Map(decisions.flatMap(({ view }, i) => (problems[i] ? [[view.id, problems[i]] as const] : [])));
}

async function problemsOf(
  ctx: Context,
  policies: readonly Policy[],
  requests: readonly GrantRequest[],
): Promise<(string | null)[]> {
  const effective = effectivePolicy(policies, { actionType: MANDATE_GRANT });
  const members = await membersFor(ctx, effective);
  return requests.map((request) => problemOf(effective, members, request));
}

/** The ADMINs, the members of the groups that the quorums name, and their delegates. */
async function membersFor(ctx: Context, { quorums }: EffectivePolicy): Promise<Member[]> {
  const db = ownRows(ctx);
  const groups = groupsOfQuorums(quorums.map(({ value }) => value));
  const members = await membersWhoDecide(db, currentCenterId(ctx), groups, ctx.now);
  const signers = await passkeyOwners(
    db,
    members.map(({ actorId }) => actorId),
  );
  return members.map((member) => ({ ...member, canSign: signers.has(member.actorId) }));
}

/** The longest time after which a policy can escalate: the approvers that it adds count too. */
const LONGEST_ESCALATION_MS = 604_800_000;

function problemOf(
  { guards, quorums: set }: EffectivePolicy,
  members: readonly Member[],
  request: GrantRequest,
): string | null {
  const { requesterId, approvals } = request;
  const gone = [requesterId, ...approvals.map(({ approverId }) => approverId)].flatMap((id) =>
    id === undefined ? [] : [normalId(id)],
  );
  const others = members.filter(({ actorId }) => !gone.includes(normalId(actorId)));
  const isSigned = guards.approverAuthentication?.value === 'SIGNED';
  const able = isSigned ? others.filter(({ canSign }) => canSign) : others;
  const quorums = set.map(({ value }) => value);
  const open = countSeats(quorums, request).filter(({ isOpen }) => isOpen);
  const fits = seatTest(request, quorums, able);
  const needs = quorums.map((_, place) =>
    seatNeed(
      open.filter(({ quorum }) => quorum === place),
      able,
      fits,
    ),
  );
  const most = guards.dualApproval?.value ? 2 : 1;
  needs.push({
    needed: Math.max(0, most - approvals.length),
    possible: able.filter((each) => each.rights.isAdmin || open.some((seat) => fits(each, seat))).length,
  });
  const short = needs.find(({ needed, possible }) => possible < needed);
  if (!short) return null;
  const mustSign = isSigned || open.some(({ authentication }) => authentication === 'SIGNED');
  if (mustSign && others.some(({ canSign }) => !canSign)) return sentence(short, request, 'passkeys');
  return sentence(short, request, open.some(({ group }) => group !== null) ? 'groups' : 'admins');
}

type SeatTest = (member: Member, seat: SeatState) => boolean;

/** Whether a member may fill a seat. A delegate adds an approver only for a delegator who cannot approve. */
function seatTest(request: GrantRequest, quorums: readonly Quorum[], able: readonly Member[]): SeatTest {
  const notDelegating = new Set([request.requesterId, ...able.map(({ actorId }) => actorId)]);
  const latest = new Date(Date.parse(request.occurredAt) + LONGEST_ESCALATION_MS);
  return ({ actorId, rights, canSign }, seat) => {
    const delegations = rights.delegations.filter(({ delegatorId }) => !notDelegating.has(delegatorId));
    const candidate: Candidate = {
      approverId: actorId,
      approverType: 'human',
      byKind: canSign ? 'passkey' : 'session',
      rights: { ...rights, delegations },
    };
    const isEntitled = entitlementsTo(seat, { ...request, quorums }, candidate, latest).length > 0;
    return isEntitled && (canSign || seat.authentication !== 'SIGNED');
  };
}

function seatNeed(seats: readonly SeatState[], able: readonly Member[], fits: SeatTest): Need {
  const places = seats.map(({ count, filledBy }) => count - filledBy.length);
  const masks = able.map((member) =>
    seats.reduce((bits, seat, i) => (fits(member, seat) ? bits | (1 << i) : bits), 0),
  );
  const needed = places.reduce((total, each) => total + each, 0);
  return { needed, possible: mostFilled(places, tally(masks)) };
}

/** How many more approvals are needed, and how many the other members can give. */
interface Need {
  needed: number;
  possible: number;
}

const CAUSES = {
  passkeys: 'it requires a passkey, and none of the people who may approve it has one',
  groups: 'none of them can fill the seats that it requires',
  admins: 'the center has no other active administrator',
};

function sentence({ needed, possible }: Need, { isByPerson }: GrantRequest, cause: keyof typeof CAUSES) {
  const other = isByPerson ? 'other ' : '';
  if (possible > 0) {
    const people = possible === 1 ? `one ${other}person` : `${inWords(possible)} ${other}people`;
    return `This request needs ${inWords(needed)} approvals by different people, and only ${people} can give one.`;
  }
  const own = isByPerson ? ' Requesters cannot approve their own requests.' : '';
  const why = CAUSES[cause].replace('other ', other);
  return `No ${other}person can approve this request: ${why}.${own}`;
}
