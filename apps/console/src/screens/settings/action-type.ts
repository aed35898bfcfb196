import { normalText } from '@countersign/proof-kit/approver-id';
import { valueRows } from '@countersign/proof-kit/decision-card';
import { printable } from '@countersign/proof-kit/printable';
import type { Failure } from '../../graphql/failure.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { actionTypeProblem } from '../../text/action-type.ts';
import { faultMessage } from '../../text/faults.ts';

/** How the center describes actions of a type: an entry of `actionTypes` in its settings. */
export interface ActionTypeWords {
  type: string;
  label: string;
  members: { path: string; label: string; unit?: string | null }[];
}

export const SaveActionTypes = graphql(`
  mutation SaveActionTypes($input: UpdateCenterInput!) { updateCenter(input: $input) { id settings } }
`);

/** The actions of recent decisions, to choose types and paths from. */
export const RecentActions = graphql(`
  query RecentActions { decisionEvents(first: 25) { edges { node { action { type input } } } } }
`);

type Recent = ResultOf<typeof RecentActions>['decisionEvents']['edges'];

const distinct = (values: readonly string[]) => [...new Set(values)];

export const recentTypes = (recent: Recent, described: readonly ActionTypeWords[]): string[] =>
  distinct(recent.map(({ node }) => node.action.type)).filter(
    (type) => !described.some((each) => normalText(each.type) === normalText(type)),
  );

/** Paths of the inputs of this type, without the numbers of list entries. */
export const recentPaths = (recent: Recent, type: string): string[] =>
  distinct(
    recent
      .filter(({ node }) => normalText(node.action.type) === normalText(type.trim()))
      .flatMap(({ node }) => valueRows(node.action.input ?? {}))
      .map(({ path }) => path.replaceAll(/\[\d+\]/g, ''))
      .filter((path) => path !== '' && !/[["\\]/.test(path)),
  );

export const MAX_MEMBERS = 50;
export const LONGEST = { type: 256, label: 80, path: 200, unit: 20 };

export interface ActionTypeValues extends Record<string, unknown> {
  type: string;
  label: string;
  members: { path: string; label: string; unit: string }[];
}

const visible = (value: string) =>
  printable(value) === value ? null : 'The text has invisible characters. Remove them.';

const needed = (message: string) => (value: string) => (value.trim() ? visible(value.trim()) : message);

/** The rules of the service, so that most faults show before anything is sent. */
export const rulesOf = (others: readonly ActionTypeWords[]) => ({
  type: (value: string) => {
    const type = value.trim();
    if (!type) return 'Enter an action type, such as refund.grant.';
    if (type.includes('*')) return 'Enter one type. Patterns are not possible here.';
    const isTaken = others.some((each) => normalText(each.type) === normalText(type));
    return isTaken ? 'This type is described already. Edit it instead.' : actionTypeProblem(type);
  },
  label: needed('Enter what the action is called, such as Refund.'),
  members: {
    path: (value: string, { members }: ActionTypeValues, field: string) => {
      const path = value.trim();
      if (!path) return 'Enter the path, such as amount or order.total.';
      if (path.split('.').some((name) => name === '')) return 'Write names with one dot between them.';
      const at = Number(field.split('.')[1]);
      const isRepeated = members.slice(0, at).some((each) => each.path.trim() === path);
      return isRepeated ? 'This path is in the list already.' : visible(path);
    },
    label: needed('Enter a name.'),
    unit: (value: string) => visible(value.trim()),
  },
});

/** Faults that only the service found, by the path of the field. `at` is the place of the type in what was sent. */
export function fieldFaults(failure: Failure | undefined, at: number): Record<string, string> {
  const fields = failure?.details?.['fields'];
  if (failure?.code !== 'VALIDATION_ERROR' || !Array.isArray(fields)) return {};
  const prefix = `input.actionTypes.${at}.`;
  return Object.fromEntries(
    (fields as { path?: string; message?: string }[]).flatMap(({ path = '', message = '' }) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), faultMessage(message)]] : [],
    ),
  );
}
