/** Groups and delegations on the journal of a center, as a service records them for the seats of a decision. */
import { canonicalJson } from '@countersign/proof-kit/canonical';
import { disclosureDigest, makeDisclosure } from '@countersign/proof-kit/disclosure';
import type { AttachedRecord } from '@countersign/proof-kit/proof-document';
import { namedGroups } from '@countersign/proof-kit/seat-people';
import {
  CENTER,
  OCCURRED_AT,
  saltsOf,
  type VectorDecision,
  type VectorDelegation,
  type VectorGroup,
} from './decisions.ts';
import type { VectorPlace, VectorService } from './service.ts';

const RECORDED_AT = '2026-01-19T09:00:00.000Z';
/** A member of every group who approves nothing. */
const BYSTANDER = 'gus@example.test';

/** A record and the disclosures that a proof attaches. */
export interface SeatRecord {
  place: VectorPlace;
  disclosures: string[];
}

interface Placing {
  center?: number;
  at?: string;
  change?: (content: Record<string, unknown>) => void;
  /** The name in the disclosures of members. */
  role?: string;
}

function append(
  service: VectorService,
  content: Record<string, unknown>,
  { center = CENTER.id, at = RECORDED_AT, change }: Placing,
): VectorPlace {
  change?.(content);
  return service.append(center, 'journal', canonicalJson(content as never), at);
}

export function recordGroup(
  service: VectorService,
  id: string,
  { members, shown = members.filter((each) => each !== BYSTANDER), deleted }: VectorGroup,
  placing: Placing = {},
): SeatRecord {
  const tools = saltsOf(`${id} ${service.size(`${service.name}/chains/${CENTER.id}/journal`)}`);
  const people = members.map((person) => ({
    person,
    text: makeDisclosure(tools.salt('member'), placing.role ?? 'member', person),
  }));
  const digests = people.map(({ text }) => disclosureDigest(text)).sort();
  const content = { kind: 'group', id, name: `Group ${id}`, members: digests, ...(deleted && { deleted }) };
  return {
    place: append(service, content, placing),
    disclosures: people.flatMap(({ person, text }) => (shown.includes(person) ? [text] : [])),
  };
}

export function recordDelegation(
  service: VectorService,
  id: string,
  { from, to, ...period }: VectorDelegation,
  placing: Placing = {},
): SeatRecord {
  const tools = saltsOf(id);
  const disclosures = [
    makeDisclosure(tools.salt('from'), 'from', from),
    makeDisclosure(tools.salt('to'), 'to', to),
  ];
  const [fromDigest, toDigest] = disclosures.map(disclosureDigest);
  const content = { kind: 'delegation', id, from: fromDigest, to: toDigest, ...period };
  return { place: append(service, content, placing), disclosures };
}

/** The records that allow the approvals of a decision, unless the decision says what they hold. */
export function recordSeats(
  service: VectorService,
  { approvals, center = CENTER, groups = {}, delegations = {} }: VectorDecision,
): { groups: SeatRecord[]; delegations: SeatRecord[] } {
  const allowed: Record<string, VectorGroup> = {};
  const given: Record<string, VectorDelegation> = {};
  for (const approval of approvals) {
    const { approver, onBehalfOf, delegation } = approval;
    for (const id of namedGroups(approval)) {
      allowed[id] ??= { members: [BYSTANDER] };
      allowed[id].members.push(onBehalfOf ?? approver.id);
    }
    if (delegation && onBehalfOf)
      given[delegation.id] = {
        from: onBehalfOf,
        to: approver.id,
        starts: OCCURRED_AT,
        until: '2026-02-10T00:00:00.000Z',
      };
  }
  const placing = { center: center.id };
  return {
    groups: Object.entries({ ...allowed, ...groups }).map(([id, group]) =>
      recordGroup(service, id, group, placing),
    ),
    delegations: Object.entries(given).map(([id, each]) =>
      recordDelegation(service, id, { ...each, ...delegations[id] }, placing),
    ),
  };
}

/** The records as a proof attaches them, without the disclosures of people who are withheld. */
export function attachedSeats(
  records: readonly SeatRecord[],
  attach: (place: VectorPlace) => Omit<AttachedRecord, 'disclosures'>,
  isWithheld: boolean,
): AttachedRecord[] {
  return records.map(({ place, disclosures }) => ({
    ...attach(place),
    disclosures: isWithheld ? [] : disclosures,
  }));
}
