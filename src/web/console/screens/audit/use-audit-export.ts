import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { failureOf, inWords } from '../../graphql/failure.ts';
import type { VariablesOf } from '../../graphql/graphql.ts';
import { csv } from '../../text/csv.ts';
import { saveFile } from '../../ui/save-file.ts';
import { Entries, type Entry } from './entries.ts';

const PAGE = 100;
const MOST_PAGES = 200;

/** Everything that fits the filter as a file, page by page. */
export function useAuditExport(filter: VariablesOf<typeof Entries>['filter'], center: string) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const collect = async () => {
    const rows: Entry[] = [];
    let after: string | undefined;
    for (let page = 0; page < MOST_PAGES; page++) {
      const variables = { first: PAGE, after, filter };
      const { data, error } = await client
        .query(Entries, variables, { requestPolicy: 'network-only' })
        .toPromise();
      const failure = failureOf(error);
      if (failure || !data) throw new Error(failure ? inWords(failure) : 'Empty response.');
      rows.push(...data.auditEntries.edges.map(({ node }) => node));
      if (!data.auditEntries.pageInfo.hasNextPage) break;
      after = data.auditEntries.pageInfo.endCursor ?? undefined;
    }
    return rows;
  };
  const download = async () => {
    setBusy(true);
    try {
      const rows = await collect();
      const header = ['when', 'type', 'actor', 'actor_id', 'target', 'ip', 'record', 'detail'];
      const text = csv(
        header,
        rows.map((row) => [
          row.occurredAt,
          row.type,
          row.actorEmail,
          row.actorId,
          row.target,
          row.ip,
          row.chainIndex,
          row.detail,
        ]),
      );
      saveFile(`audit-${center}.csv`, text, 'text/csv');
    } catch (error) {
      notifications.show({ color: 'red', title: 'The export failed', message: (error as Error).message });
    }
    setBusy(false);
  };
  return { busy, download };
}
