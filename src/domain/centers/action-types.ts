// How a center describes its action types to the people who decide: names for the types and for members of their input.
import { normalText } from '@countersign/proof-kit/approver-id';
import type { ActionTypeWords } from '@countersign/proof-kit/decision-card';
import { printable } from '@countersign/proof-kit/printable';
import { z } from 'zod';
import { plainText } from '../../lib/text.ts';
import { type Context, currentCenterId } from '../context.ts';
import { actionTypeRule } from '../policies/action-type.ts';
import { settingsOf } from './view.ts';

const MAX_TYPES = 100;
const MAX_MEMBERS = 50;
const MAX_BYTES = 65_536;

/** Text in which an approver sees every character. */
const visibleText = (longest: number) =>
  plainText(longest)
    .trim()
    .min(1, 'must not be empty')
    .refine((value) => printable(value) === value, 'must not contain invisible characters');

const member = z.object({
  path: visibleText(200)
    .refine((path) => path.split('.').every((name) => name !== ''), {
      message: 'must be a path of names with dots between them',
    })
    .describe(
      'The path in `action.input`, with dots between names, such as `order.amount`, at most 200 characters. Entries of lists share one path.',
    ),
  label: visibleText(80).describe('The name that people see beside the path, at most 80 characters.'),
  unit: visibleText(20)
    .nullable()
    .optional()
    .describe('The unit of the value, such as `EUR`, at most 20 characters. Default: none.'),
});

/** One error for each entry that repeats an earlier one. */
const distinct =
  <Item>(name: keyof Item & string, keyOf: (item: Item) => string): z.core.CheckFn<Item[]> =>
  ({ value, issues }) => {
    const keys = new Set<string>();
    for (const [i, item] of value.entries()) {
      const key = keyOf(item);
      if (keys.has(key))
        issues.push({ code: 'custom', path: [i, name], message: 'is in the list already', input: value });
      keys.add(key);
    }
  };

export const actionTypesInput = z
  .array(
    z.object({
      type: plainText(256)
        .min(1, 'must not be empty')
        .check(actionTypeRule)
        .describe('The action type, such as `refund.grant`, at most 256 characters. No pattern.'),
      label: visibleText(80).describe('The action in words, such as `Refund`, at most 80 characters.'),
      members: z
        .array(member)
        .max(MAX_MEMBERS)
        .check(distinct('path', ({ path }: { path: string }) => path))
        .describe(`The members of the input that have a name, at most ${MAX_MEMBERS}.`),
    }),
  )
  .max(MAX_TYPES)
  .check(distinct('type', ({ type }: { type: string }) => normalText(type)))
  .refine((types) => Buffer.byteLength(JSON.stringify(types)) <= MAX_BYTES, {
    message: `must be at most ${MAX_BYTES / 1_024} KiB in all`,
  });

/** The words of the caller's center for action types, by type as given. Types without words are missing. */
export async function actionWordsOf(
  ctx: Context,
  types: readonly string[],
): Promise<Map<string, ActionTypeWords>> {
  const center = await ctx.db.center.findUnique({
    where: { id: currentCenterId(ctx) },
    select: { settings: true },
  });
  const { actionTypes = [] } = settingsOf({ settings: center?.settings }) as {
    actionTypes?: ActionTypeWords[];
  };
  const known = new Map(actionTypes.map((each) => [normalText(each.type), each]));
  return new Map(
    types.flatMap((type): [string, ActionTypeWords][] => {
      const words = known.get(normalText(type));
      return words ? [[type, words]] : [];
    }),
  );
}
