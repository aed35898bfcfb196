import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useClient } from 'urql';
import { failureMessage, failureOf } from '../../graphql/failure.ts';
import { graphql } from '../../graphql/graphql.ts';
import { saveFile } from '../../ui/save-file.ts';
import type { Decision } from './one-decision.ts';

export const ExportOf = graphql(`
  query ExportOf($id: ID!) { evidenceExport(id: $id) signingKeys { vkey vouched } }
`);

/** Downloads the whole proof, with everything needed to verify it offline. */
export function useExport({ id, evidence }: Decision) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const { data, error } = await client
      .query(ExportOf, { id: evidence.id }, { requestPolicy: 'network-only' })
      .toPromise();
    setBusy(false);
    const failure = failureOf(error);
    if (failure || !data) {
      notifications.show({
        color: 'red',
        title: 'The export failed',
        message: failure ? failureMessage(failure) : '',
      });
      return;
    }
    saveFile(
      `decision-proof-${id}.json`,
      JSON.stringify(data.evidenceExport, null, 2),
      'application/ld+json',
    );
  };
  return { download, busy };
}
