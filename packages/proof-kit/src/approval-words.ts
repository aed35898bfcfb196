/** How a decision was approved or rejected, in the words of a verdict. */
import type { ApprovedByKind } from './decision.ts';
import type { ShownApproval } from './disclose.ts';
import { quoted } from './printable.ts';

/** The kinds of an approval by a person, in the order in which they are named. */
const PERSONAL: readonly (readonly [ApprovedByKind, string])[] = [
  ['passkey', 'passkey'],
  ['session', 'session'],
  ['api_key', 'API key'],
];

const isPerson = ({ approver }: ShownApproval): boolean => approver.type === 'human';

/** Each kind once: `2 people (passkey, API key), a machine`. No two of the approvals are by one person. */
export function kindsOfApprovals(approvals: readonly ShownApproval[]): string {
  const people = approvals.filter(isPerson);
  const names = PERSONAL.filter(([kind]) => people.some(({ by }) => by.kind === kind)).map(
    ([, name]) => name,
  );
  const isBy = (kind: ApprovedByKind) => approvals.some((each) => !isPerson(each) && each.by.kind === kind);
  return [
    ...(people.length > 0
      ? [`${people.length === 1 ? '1 person' : `${people.length} people`} (${names.join(', ')})`]
      : []),
    ...(isBy('api_key') ? ['a machine'] : []),
    ...(isBy('system') ? ['the service'] : []),
    ...(isBy('mandate') ? ['a mandate'] : []),
  ].join(', ');
}

/** An API key that asserted several approvals vouches alone for all of them. */
export function sharedKeys(approvals: readonly ShownApproval[]): string[] {
  const counts = new Map<string, number>();
  for (const { by } of approvals)
    if (by.kind === 'api_key' && by.id !== undefined) counts.set(by.id, (counts.get(by.id) ?? 0) + 1);
  return [...counts.values()]
    .filter((count) => count > 1)
    .map((count) => `${count} approvals asserted by one API key`);
}

/** What callers wrote, quoted, so that no name can pass for a part of the verdict: approvers, and why the service rejected. */
export function callersWords(approvals: readonly ShownApproval[]): string[] {
  const named = approvals.filter(({ by }) => by.kind !== 'system' && by.kind !== 'mandate');
  const names = named.flatMap(({ approver: { name, id } }) => name ?? id ?? []);
  const [{ result, by, reason }] = approvals as [ShownApproval];
  return [
    ...(names.length > 0 ? [`named ${names.map(quoted).join(', ')}`] : []),
    ...(result === 'rejected' && by.kind === 'system' && reason !== undefined
      ? [`reason ${quoted(reason)}`]
      : []),
  ];
}
