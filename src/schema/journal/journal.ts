import { type ResolveCursorConnectionArgs, resolveCursorConnection } from '@pothos/plugin-relay';
import { type JournalEntryView, journalOf, listJournal } from '../../domain/ledger/read-journal.ts';
import { validationError } from '../../lib/errors.ts';
import { builder } from '../builder.ts';
import { loadTogether } from '../load-together.ts';
import { DecisionEvent } from '../proof/decision-event.ts';
import { queryLimits } from '../query-limits.ts';

const readers = { roles: ['ADMIN'] } as const;

const JournalEntry = builder.objectRef<JournalEntryView>('JournalEntry').implement({
  description: "An entry of the center's journal: the chain of everything that could otherwise vanish.",
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Its place on the journal, from 0.' }),
    kind: t.exposeString('kind', {
      description: 'What it is about: recorded, approved, rejected, outcome, erased, policy, dpu or key.',
    }),
    content: t.exposeString('content', { description: 'The exact text that is hashed: canonical JSON.' }),
    hash: t.exposeString('hash', { description: 'The hash of its record, as hex digits.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was written.' }),
  }),
});

const CURSOR = /^\d{1,9}$/;

function indexOf(name: 'after' | 'before', cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!CURSOR.test(cursor)) throw validationError([{ path: name, message: 'is no cursor of this list' }]);
  return Number(cursor);
}

builder.queryField('journal', (t) =>
  t.connection({
    type: JournalEntry,
    description: 'The journal of the center, newest first.',
    authScopes: { access: readers },
    resolve: (_, args, ctx) =>
      resolveCursorConnection(
        {
          args,
          defaultSize: queryLimits.defaultPageSize,
          maxSize: queryLimits.pageSize,
          toCursor: ({ index }: JournalEntryView) => String(index),
        },
        ({ after, before, limit, inverted }: ResolveCursorConnectionArgs): Promise<JournalEntryView[]> =>
          listJournal(ctx, {
            after: indexOf('after', after),
            before: indexOf('before', before),
            limit,
            inverted,
          }),
      ),
  }),
);

const entriesOf = loadTogether(journalOf);

builder.objectField(DecisionEvent, 'journal', (t) =>
  t.field({
    type: [JournalEntry],
    description: 'What the journal of the center says of it, oldest first.',
    authScopes: { access: readers },
    resolve: async ({ id }, _, ctx) => (await entriesOf(ctx, id)) ?? [],
  }),
);
